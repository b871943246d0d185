/** The patterns that CONTRIBUTING.md, "English", rules out. Each names its rule there and says what to write instead. */

/** Where a text stands: some patterns are wrong in one kind only. */
export type TextKind = 'markdown' | 'comment' | 'doc comment' | 'title' | 'string' | 'name';

export interface Rule {
  readonly name: string;
  readonly instead: string;
  /** Global, so that every match counts. */
  readonly pattern: RegExp;
  readonly kinds?: readonly TextKind[];
  /** Paths the rule is about; all where it is absent. */
  readonly files?: RegExp;
  /** Matches that are good English or a public name, each with its reason. */
  readonly allowed?: readonly { readonly pattern: RegExp; readonly reason: string }[];
}

/** The longest sentence, in words. */
export const sentenceWordsMax: Readonly<Partial<Record<TextKind, number>>> = {
  markdown: 35,
  comment: 30,
  'doc comment': 30,
};

const prose = ['markdown', 'comment', 'doc comment', 'title', 'string'] as const;
const comments = ['comment', 'doc comment'] as const;
/** The start of a sentence: of the text, or behind the end of another one. */
const start = '(?:^|[.:;!?]["”»)]? )';
const sync = /packages\/cli\/|core\/src\/sync|docs\/(?:sync|cli)\.md|tests\/sync/;
const tests = /^(?:tests|scripts|bench)\/|\/test\//;

const sentenceRules: readonly Rule[] = [
  {
    name: 'clause as subject',
    instead: 'name the actor: subject, verb, object',
    pattern: new RegExp(`${start}(?:What|Who|Whoever|Whatever) (?![^.?!]*\\?)`, 'g'),
    kinds: prose,
  },
  {
    name: 'starts with a question word',
    instead: 'start with a verb or a noun ("Returns …", "The last …")',
    pattern: /^(?:What|Who|Where|How)\b/g,
    kinds: comments,
  },
  {
    name: 'clause as title',
    instead: 'name the topic: a noun phrase',
    pattern: /^(?:what|who|how) (?!to\b|it works|long |many |much |often |do(?:es)? )(?![^?]*\?)/gi,
    kinds: ['markdown', 'title', 'string'],
  },
  {
    name: 'passive clause with "what"',
    instead: 'name the thing itself',
    pattern:
      /\bwhat (?:is|was|are|were) (?:done|said|asked|known|remembered|read|kept|left|there|sent|new)\b/gi,
    kinds: prose,
  },
  {
    name: 'nothing as an object',
    instead: 'does not …',
    pattern: /\b(?:opens|tells|asks|says|sends|shows|finds) nothing\b|\bnothing is (?:to|left)\b/gi,
    kinds: prose,
  },
  {
    name: 'double negation',
    instead: 'say it positively',
    pattern: /\bno \w+ that (?:is|are|does|do|has|have) not\b/gi,
    kinds: prose,
  },
  {
    name: 'foreign idiom',
    instead: 'number of …; default …; active; repeat; keep in sync with; belongs to',
    pattern:
      /\bso many(?=[,.;]|$)|, else \d|\bin force\b|\bsay it\b|\bstays? the same as\b|\bis (?:one|another) (?:person|user|member)['’]s(?=[.,;]|$)|\bmust lose\b/gi,
    kinds: prose,
  },
  {
    name: 'anonymous actor',
    instead: 'user, another user, member, caller, client, operator, another process',
    pattern: /\b(?:somebody|nobody|whoever|anybody)(?:['’]s)?\b/gi,
    kinds: prose,
  },
  {
    name: '"one" as a person',
    instead: 'you, or name the actor',
    pattern: /\b(?:if|when|that|as|where) one (?:is|can|may|has|wants|would|should|must|reads|asks)\b/gi,
    kinds: prose,
  },
  {
    name: '"is none"',
    instead: 'is not …, does not exist',
    pattern: /\b(?:is|are|was|were|be) none\b/gi,
    kinds: prose,
  },
  {
    name: '"is no X"',
    instead: 'is not a …; there is no …',
    pattern:
      /(?<!\b(?:there|here) )\b(?:is|are|was|were|lets) (?:\w+ in )?no (?!longer\b|more than\b|less than\b|later than\b|earlier than\b|one\b)[a-z]+/gi,
    kinds: prose,
  },
  {
    name: '"neither" or "too" at the end',
    instead: 'not even …; also, before the verb',
    pattern: /\b(?:neither|too)(?=[.,;:!?)]|$)/gi,
    kinds: prose,
  },
  {
    name: '"anew", "meanwhile", "by itself"',
    instead: 'again; concurrently, while …; alone, automatically',
    pattern: /\b(?:anew|meanwhile|by (?:itself|themselves))\b/gi,
    kinds: prose,
  },
  {
    name: '"stands", "goes on", "than what"',
    instead: 'is, exists; continues; than',
    pattern: /\bstands\b(?! for)|\bgo(?:es)? on\b|\bthan what\b/gi,
    kinds: prose,
  },
  {
    name: '"is told", "is met", "is said", "is noted"',
    instead: 'reports, returns; meets, finds; says; records',
    pattern: /\b(?:is|are|was|were|be) (?:told|met|said|noted)\b/gi,
    kinds: prose,
  },
];

/** Private words. In prose a whole word, in names a part of one: `noteFailure` holds `note`. */
const privateWords: readonly (Omit<Rule, 'name' | 'pattern'> & {
  readonly word: string;
  readonly prose: string;
  readonly names?: string;
})[] = [
  {
    word: 'answer',
    instead: 'response, result, reply',
    prose: 'answer(?:s|ed|ing)?',
    names: 'answers?|answered|answering',
  },
  {
    word: 'refuse',
    instead: 'reject, error',
    prose: 'refus(?:e|es|ed|ing|al|als)',
    names: 'refus(?:e|es|ed|ing|al|als)',
  },
  {
    word: 'place',
    instead: 'match, path, location, page, slot',
    prose: 'places?',
    names: 'places?',
    allowed: [
      { pattern: /\btakes? place\b|\bin[- ]place\b|\bplace (?:it|them|the)\b/i, reason: 'ordinary English' },
    ],
  },
  {
    word: 'turn',
    instead: 'tick, fairness slot, step',
    prose: 'turns?',
    names: 'turns?',
    allowed: [
      {
        pattern: /\bin turn\b|\bturn(?:s)? (?:on|off|into|out|it|them|down|up)\b|\bfair(?:ness)? turns?\b/i,
        reason: 'ordinary English',
      },
    ],
  },
  { word: 'held', instead: 'pending confirmation', prose: 'held', names: 'held', files: sync },
  {
    word: 'note',
    instead: 'record, log',
    prose: 'noted|notes? (?:of|that|down)',
    names: 'noted|note(?!s|Text|Path|File|Id|Name|Title|Body|Row|Characters)[A-Z]\\w*',
    allowed: [{ pattern: /\b[Aa] note of\b/, reason: 'a note is a file that a user writes' }],
  },
  { word: 'piece', instead: 'chunk, part; n-gram', prose: 'pieces?', names: 'pieces?' },
  { word: 'left out', instead: 'skipped, omitted', prose: 'left out', names: 'leftOut' },
  {
    word: 'told',
    instead: 'notified, reports, returns',
    prose: 'told|tells (?:of|what|who|how|whether)|to tell of',
    names: 'told|tell|tells',
  },
  { word: 'beside', instead: 'next to, while, compared with', prose: 'beside', names: 'beside' },
  {
    word: 'carry over',
    instead: 'rebase, transfer',
    prose: 'carr(?:y|ies|ied) (?:over|on)|to be carried',
    names: 'carried|carry',
  },
  {
    word: 'standing',
    instead: 'access status',
    prose: '(?:the|a|its|their|whose) standing',
    names: 'standing',
  },
  { word: 'aside', instead: 'quarantine', prose: 'aside', names: 'aside' },
  { word: 'living text', instead: 'open document', prose: 'living texts?', names: 'livingTexts?|living' },
  { word: 'incarnation', instead: 'file id', prose: 'incarnations?', names: 'incarnations?' },
  { word: 'bookmark', instead: 'cursor', prose: 'bookmarks?', names: 'bookmarks?' },
  { word: 'departed', instead: 'former member', prose: 'departed', names: 'departed' },
  { word: 'wish', instead: 'option', prose: 'wish(?:es|ed)?', names: 'wish|wishes|wished' },
  {
    word: 'patience',
    instead: 'timeout, retry budget',
    prose: 'patien(?:ce|t|tly)',
    names: 'patience|patient',
  },
  {
    word: 'sentence',
    instead: 'message',
    prose: 'sentences?',
    names: 'sentences?',
    allowed: [
      {
        pattern: /\b(?:per|long) sentence|\bsentences? of (?:the|a) (?:text|paragraph)\b/i,
        reason: 'a sentence of prose',
      },
    ],
  },
  { word: 'mend', instead: 'repair, fix', prose: 'mend(?:s|ed|ing)?', names: 'mend(?:s|ed|ing)?' },
  {
    word: 'displaced, fenced, untold, suspect',
    instead: 'replaced, awaiting echo, unconfirmed, untrusted',
    prose: 'displaced|fenced|untold|suspects?',
    names: 'displaced|fenced|untold|suspects?',
    allowed: [{ pattern: /\bfenced (?:code|block)/i, reason: 'Markdown calls it a fenced code block' }],
  },
  {
    word: 'outlines',
    instead: 'route table',
    prose: "(?:route|routes[’']) outlines?",
    names: 'routeOutlines?',
  },
  {
    word: 'surroundings',
    instead: 'parent check, dependencies',
    prose: 'surroundings',
    names: 'surroundings',
  },
  { word: 'sight', instead: 'visibility', prose: 'sight', names: 'sight' },
  { word: 'foreseen', instead: 'prefetch', prose: 'foreseen', names: 'foreseen' },
  { word: 'storm', instead: 'edit loop', prose: 'storms?', names: 'storms?' },
  {
    word: 'plays, doings, upsets, campaigns',
    instead: 'scenarios, operations, faults, soak runs',
    prose: 'plays|doings?|upsets?|campaigns?',
    names: 'plays|doings?|upsets?|campaigns?',
    files: tests,
  },
  {
    word: 'signs, spelling, the reading',
    instead: 'punctuation; name that differs only in case; the scan',
    prose:
      'signs(?! (?:in|out|up|the|a|requests|every\\w*|each|users?|sessions)\\b)|spellings?|the reading(?! (?:view|mode|width|time|page|column|pane)\\b)',
  },
  { word: 'step of the schema', instead: 'migration', prose: 'steps? of the schema|schema steps?' },
];

/** Words of the interface, the app or a stored format that no rule may change. */
export const publicNames: readonly {
  readonly pattern: RegExp;
  readonly reason: string;
  /** Paths where the name is public; all where it is absent. */
  readonly files?: RegExp;
}[] = [
  { pattern: /\bWho (?:can open it|wrote what)/i, reason: 'a label of the app' },
  { pattern: /\b(?:Choose a place first|Comment at a place|Several places fit)/, reason: 'texts of the app' },
  { pattern: /Some rules were left out|What you type is kept/, reason: 'texts of the app' },
  { pattern: /must be refuse\b|refused-sign-in:/, reason: 'a value of the interface, a stored key' },
  { pattern: /main, aside,/, reason: 'an element of HTML' },
  {
    pattern: /^(?:incarnations?|bookmark)$/,
    reason: 'a column or table of the database',
    files: /packages\/server\//,
  },
  {
    pattern: /^answered$/,
    reason: 'a column of the database',
    files: /packages\/server\/src\/service\/ports\/cursors/,
  },
  {
    pattern: /^(?:place|pieces)$/,
    reason: 'a field of a backup’s manifest',
    files: /packages\/server\/src\/backup\//,
  },
  {
    pattern: /^departed$/,
    reason: 'the name of a route',
    files: /packages\/(?:contract|server)\/src\/.*member/,
  },
  { pattern: /^answer$/, reason: 'the name of a tool', files: /comment-tools|answer-comments/ },
  {
    pattern: /^refused$/,
    reason: 'a parameter of the sign-in page’s address',
    files: /packages\/web\/src\/app\/routes/,
  },
  { pattern: /^untold$/, reason: 'a stored key of a synced folder’s state', files: /state-rows/ },
  {
    pattern: /^(?:held|leftOut)$/,
    reason: 'a flag of `stoa sync`, a field of the JSON that the CLI prints',
    files: /packages\/cli\/src\/(?:commands|state|engine\/(?:ports|watch))|tests\/sync/,
  },
];

export const rules: readonly Rule[] = [
  ...sentenceRules,
  ...privateWords.flatMap(({ word, prose: words, names, ...rest }) => [
    { ...rest, name: `private word: ${word}`, pattern: new RegExp(`\\b(?:${words})\\b`, 'gi'), kinds: prose },
    ...(names === undefined
      ? []
      : [
          {
            ...rest,
            name: `private word in a name: ${word}`,
            pattern: new RegExp(`^(?:${names})$`),
            kinds: ['name'] as const,
          },
        ]),
  ]),
];
