import { isMarkdown, searchQueryMaxCharacters } from '@stoa/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import {
  type AddressSearch,
  fileAddress,
  folderAddress,
  isFileShown,
  lineAddress,
  locationOf,
  workspacePageAddress,
} from '../api/addresses.ts';
import { client } from '../api/client.ts';
import { folderOf, type Listing } from '../api/listing-index.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useListing } from '../api/use-listing.ts';
import { recentFilesOf } from '../store/recent-files.ts';
import { keepRecentSearch, recentSearchesOf } from '../store/recent-searches.ts';
import { serverResponds, useStore } from '../store/store.ts';
import { find } from '../text/en/find.ts';
import { palette as texts } from '../text/en/palette.ts';
import { visibleName } from '../text/visible-name.ts';
import { AppLink, useGoTo } from '../ui/AppLink.tsx';
import { ComboList, type ComboOption, comboKey } from '../ui/ComboList.tsx';
import { availableCommands, type Command, perform, registeredCommands, runCommand } from '../ui/commands.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { fileIcon, Icon } from '../ui/Icon.tsx';
import { keysText, pressMatches } from '../ui/keys.ts';
import { LoadFailure } from '../ui/States.tsx';
import { useSettled } from '../ui/use-settled.ts';
import { excerptOf } from './excerpt.ts';
import { FilterRow } from './FilterRow.tsx';
import { FoundText } from './FoundText.tsx';
import { filtersIn, parsedQuery, wordsOnly } from './find-filters.ts';
import { keptKeys } from './KeepKeys.tsx';
import { inGroups, onceEach, rankCommands } from './rank-commands.ts';
import './palette.css';

/** Limit of results; for more, the user types further. */
const resultsMax = 50;

/** Limit of results whose matching lines are listed below, and of these lines. */
const foundMax = 20;
const linesMax = 20;
/** A shorter text matches nearly everywhere. */
const contentCharactersMin = 2;
const settleMs = 200;
const allResultsKeys = 'Mod+Shift+F';

interface Choice extends ComboOption {
  /** Leaves the palette open. */
  readonly stays?: true;
  run(): void;
}

/** Finds files and folders by name or path, then lines in texts, and commands after `>`. */
export function Palette({
  workspaceId,
  typed: first,
  onClose,
}: {
  readonly workspaceId: string;
  readonly typed: string;
  onClose(): void;
}) {
  const [typed, setTyped] = useState(first);
  // Enter was pressed before results arrived: opens the first one when it arrives.
  const [entered, setEntered] = useState(false);
  // Runs when the palette is on the page: until then, keys are still buffered.
  useLayoutEffect(() => {
    const { text, entered: wasEntered } = keptKeys.take();
    if (text !== '') setTyped((before) => before + text);
    if (wasEntered) setEntered(true);
  }, []);
  const [at, setAt] = useState(0);
  const id = useId();
  const isCommands = typed.startsWith('>');
  const [commands] = useState(availableCommands);
  // Each line shows whether its command can run now.
  useStore(registeredCommands);
  useStore(serverResponds);
  const goTo = useGoTo();
  const input = useRef<HTMLInputElement>(null);
  const wanted = isCommands ? '' : typed.trim();
  const isFiltered = filtersIn(wanted).length > 0;
  // Names alone do not know the filters.
  const search = useSearch(workspaceId, isFiltered ? '' : wanted);
  const names = isFiltered ? undefined : search.data;
  const found = useFound(workspaceId, wanted);
  const paths = usePathChoices(workspaceId, wanted, names?.results ?? [], found.results);
  const lines = useLineChoices(workspaceId, wanted, found.results);
  const searches = useStore(recentSearchesOf(workspaceId)).map(
    (query): Choice => ({
      key: query,
      label: query,
      picture: <Icon name="history" />,
      stays: true,
      run: () => type(query),
    }),
  );
  const named = isCommands ? commandChoices(commands, typed.slice(1)) : paths;
  const below = wanted === '' && !isCommands ? searches : lines;
  const belowLabel = below === lines ? texts.inTexts : find.recentSearches;
  const options = [...named, ...below].map((choice) => ({
    ...choice,
    run: () => {
      if (choice.stays !== true) onClose();
      choice.run();
    },
  }));
  const location = locationOf(window.location.pathname);
  const folder =
    location.kind === 'folder' ? location.path : location.kind === 'file' ? folderOf(location.path) : '';
  const allResults = workspacePageAddress(workspaceId, 'find', { q: wanted, from: folder });
  const type = (query: string) => {
    setTyped(query);
    setAt(0);
    setEntered(false);
    input.current?.focus();
  };
  const chosen = Math.min(at, options.length - 1);
  const more = names === undefined ? 0 : names.totalMatches - names.results.length;
  const isWaiting = wanted !== '' && (found.isPending || (!isFiltered && names === undefined));
  const areNamesStale = !isFiltered && (search.isPending || search.isPlaceholderData);
  // The shown results still belong to earlier input.
  const isStale = wanted !== '' && (areNamesStale || (named.length === 0 && found.isPending));
  const emptyText = isCommands
    ? texts.noCommand
    : isWaiting || wanted === '' || lines.length > 0 || found.error !== null
      ? ''
      : texts.nothing;
  const enter = entered && !isStale ? options[chosen] : undefined;
  useEffect(() => {
    if (enter !== undefined) enter.run();
  });

  return (
    <Dialog title={texts.find} hideTitle size="medium" position="top" onClose={onClose}>
      <div className="palette">
        <div className="palette-field">
          <Icon name="search" />
          <input
            ref={input}
            className="palette-input"
            role="combobox"
            aria-label={texts.findByName}
            placeholder={texts.findByName}
            aria-expanded="true"
            aria-controls={below.length === 0 ? id : `${id} ${id}-in`}
            aria-autocomplete="list"
            aria-activedescendant={
              options.length === 0
                ? undefined
                : chosen < named.length
                  ? `${id}-${chosen}`
                  : `${id}-in-${chosen - named.length}`
            }
            value={typed}
            maxLength={searchQueryMaxCharacters}
            autoFocus
            autoComplete="off"
            spellCheck={false}
            dir="auto"
            onChange={(event) => {
              type(event.target.value);
            }}
            onKeyDown={(event) => {
              if (pressMatches(event, allResultsKeys) && !isCommands) {
                event.preventDefault();
                keepRecentSearch(workspaceId, wanted);
                onClose();
                goTo(allResults);
                return;
              }
              if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
                event.preventDefault();
                if (isStale) setEntered(true);
                else options[chosen]?.run();
                return;
              }
              const next = comboKey(event.key, chosen, options.length);
              if (next === null) return;
              event.preventDefault();
              setAt(next);
            }}
          />
        </div>
        {wanted === '' ? null : <FilterRow query={typed} folder={folder} onChange={type} />}
        {search.error !== null && wanted !== '' && !isFiltered ? (
          <LoadFailure what={texts.results} error={search.error} onRetry={() => void search.refetch()} />
        ) : (
          <>
            {wanted === '' && !isCommands && named.length > 0 ? <Group>{texts.recent}</Group> : null}
            <ComboList
              id={id}
              label={isCommands ? texts.commands : texts.results}
              options={options.slice(0, named.length)}
              at={chosen}
              empty={emptyText}
              onPick={(index) => options[index]?.run()}
            />
          </>
        )}
        {below.length > 0 && (
          <>
            <Group>{belowLabel}</Group>
            <ComboList
              id={`${id}-in`}
              label={belowLabel}
              options={options.slice(named.length)}
              at={chosen - named.length}
              empty=""
              onPick={(index) => options[named.length + index]?.run()}
            />
          </>
        )}
        {found.error === null ? null : (
          <LoadFailure what={find.textResults} error={found.error} onRetry={found.retry} />
        )}
        {isCommands ? null : (
          <div className="palette-foot">
            <p>{more > 0 ? texts.more(more) : texts.hint}</p>
            <AppLink
              to={allResults}
              onClick={() => {
                keepRecentSearch(workspaceId, wanted);
                onClose();
              }}
            >
              {find.allResults}
              <span className="palette-keys" data-keys={keysText(allResultsKeys)} />
            </AppLink>
          </div>
        )}
      </div>
    </Dialog>
  );
}

/** A visual heading above a list, which has its own accessible name. */
function Group({ children }: { readonly children: string }) {
  return (
    <p className="palette-group" aria-hidden="true">
      {children}
    </p>
  );
}

function useSearch(workspaceId: string, wanted: string) {
  return useQuery({
    queryKey: [...queryKeys.workspace(workspaceId), 'search', wanted],
    queryFn: ({ signal }) => client.search(workspaceId, wanted, { limit: resultsMax, signal }),
    enabled: wanted !== '',
    // Names change: earlier results are shown only until the response arrives.
    staleTime: 0,
    gcTime: 10_000,
    placeholderData: keepPreviousData,
  });
}

type FoundResults = Awaited<ReturnType<typeof client.find>>['results'];
const none: FoundResults = [];

/** Results of the search in names and texts, once the user pauses typing. */
function useFound(workspaceId: string, wanted: string) {
  const settled = useSettled(wanted, settleMs);
  const isAsked = [...wanted].length >= contentCharactersMin && parsedQuery(wanted) !== null;
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKeys.workspace(workspaceId), 'find', wanted],
    queryFn: ({ signal }) => client.find(workspaceId, wanted, { limit: foundMax, signal }),
    enabled: isAsked && wanted === settled,
    staleTime: 0,
    gcTime: 10_000,
  });
  return {
    results: isAsked ? (data?.results ?? none) : none,
    isPending: isAsked && data === undefined && error === null,
    error: isAsked ? error : null,
    retry: () => void refetch(),
  };
}

/** The lines of the found texts, listed below the names. */
function useLineChoices(workspaceId: string, wanted: string, found: FoundResults): readonly Choice[] {
  const goTo = useGoTo();
  const words = wordsOnly(wanted);
  const choices = found.flatMap(({ path, matches }) =>
    matches.map((match): Choice => {
      const { line } = match;
      const excerpt = excerptOf(match, words, isMarkdown(path, ''));
      const name = visibleName(path);
      return {
        key: `${line} ${path}`,
        label: texts.line(name, line, excerpt.map((part) => part.text).join('')),
        content: (
          <>
            {/* The visible text is the name of the option. */}
            <span className="palette-where">{texts.lineOf(name, line)}: </span>
            <FoundText parts={excerpt} />
          </>
        ),
        picture: <Icon name={fileIcon(path)} />,
        run: () => {
          keepRecentSearch(workspaceId, wanted);
          // A file that is shown keeps its mode and its panel.
          const { mode, panel } = isFileShown(workspaceId, path) ? currentSearch() : {};
          goTo(lineAddress(workspaceId, path, { line, words }, { mode, panel }));
        },
      };
    }),
  );
  return choices.slice(0, linesMax);
}

function currentSearch(): AddressSearch {
  return Object.fromEntries(new URLSearchParams(location.search));
}

type Location = Pick<Awaited<ReturnType<typeof client.search>>['results'][number], 'path' | 'isDir'>;

/** Files and folders by name, then those that only the words of their path or title match. */
function usePathChoices(
  workspaceId: string,
  wanted: string,
  names: readonly Location[],
  found: FoundResults,
): readonly Choice[] {
  const goTo = useGoTo();
  const state = useListing(workspaceId);
  const recent = useStore(recentFilesOf(workspaceId));
  const listing = state.kind === 'ready' ? state.listing : null;
  const byName = new Set(names.map(({ path }) => path));
  const byWords = found.filter(({ path, matches }) => matches.length === 0 && !byName.has(path));
  const locations: readonly Location[] =
    wanted === ''
      ? recent.filter((path) => listing?.files.has(path) ?? false).map((path) => ({ path, isDir: false }))
      : [...names, ...byWords];
  return locations.map(({ path, isDir }) => ({
    key: path,
    label: visibleName(path),
    picture: <Icon name={isDir ? 'folder' : fileIcon(path)} />,
    trailing: listing === null ? null : <Marks listing={listing} path={path} />,
    run: () => {
      if (!byName.has(path)) keepRecentSearch(workspaceId, wanted);
      goTo(isDir ? folderAddress(workspaceId, path) : fileAddress(workspaceId, path));
    },
  }));
}

function Marks({ listing, path }: { readonly listing: Listing; readonly path: string }) {
  return listing.privateAt(path) === null ? null : <Icon name="private" size={14} />;
}

function commandChoices(commands: readonly Command[], typed: string): readonly Choice[] {
  const offered = inGroups(
    onceEach(commands.filter(({ keysOnly, id }) => keysOnly !== true && id !== 'find')),
  );
  return rankCommands(offered, typed).map((command) => {
    const { id, words, keys = [] } = command;
    const hint = command.disabled?.() ?? keys.map((each) => keysText(each)).join('  ');
    return {
      key: id,
      label: words,
      // Shown by CSS: text in the option would have to be part of its name.
      trailing: <span className="palette-keys" data-keys={hint} />,
      description: hint === '' ? undefined : hint,
      run: () => runCommandOf(commands, id),
    };
  });
}

/** The command as of when the palette opened: the rows that it acts on are still selected. */
function runCommandOf(commands: readonly Command[], id: string): void {
  const command = commands.find((candidate) => candidate.id === id);
  if (command === undefined) runCommand(id);
  else perform(command);
}
