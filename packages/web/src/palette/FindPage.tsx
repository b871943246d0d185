import { isMarkdown, searchQueryMaxCharacters } from '@stoa/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { fileAddress, folderAddress, lineAddress, workspacePageAddress } from '../api/addresses.ts';
import { client } from '../api/client.ts';
import { folderOf, type Listing } from '../api/listing-index.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useListing } from '../api/use-listing.ts';
import { ownValue } from '../store/own-value.ts';
import { keepRecentSearch, recentSearchesOf } from '../store/recent-searches.ts';
import { useStore } from '../store/store.ts';
import { find as texts } from '../text/en/find.ts';
import { shortcuts } from '../text/en/shortcuts.ts';
import { matchesIn } from '../text/sought-line.ts';
import { visibleName } from '../text/visible-name.ts';
import { AppLink, useGoTo } from '../ui/AppLink.tsx';
import { Button } from '../ui/Button.tsx';
import { useCommands } from '../ui/commands.ts';
import { GivenIcon } from '../ui/GivenIcon.tsx';
import { fileIcon, Icon } from '../ui/Icon.tsx';
import { PageHeading } from '../ui/PageHeading.tsx';
import { EmptyState, LoadFailure, LoadingLines } from '../ui/States.tsx';
import { Time } from '../ui/Time.tsx';
import { useSettled } from '../ui/use-settled.ts';
import { excerptOf, partsOf } from './excerpt.ts';
import { FilterRow } from './FilterRow.tsx';
import { FoundText } from './FoundText.tsx';
import { parsedQuery, wordsOnly } from './find-filters.ts';
import '../ui/page.css';

const settleMs = 200;
const pageResults = 30;

/** All results of a search (`/w/{id}/find?q=…`). `from` is the folder that the user came from. */
export function FindPage() {
  const { workspaceId } = useParams({ from: '/signed-in/w/$workspaceId/find' });
  const { q = '', from = '' } = useSearch({ strict: false }) as {
    readonly q?: string;
    readonly from?: string;
  };
  const goTo = useGoTo();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(q);
  const settled = useSettled(typed, settleMs);
  /** The query in the address, as far as this page has set it. Another one comes from the history. */
  const shown = useRef(q);
  useEffect(() => {
    if (q === shown.current) return;
    shown.current = q;
    setTyped(q);
  }, [q]);
  const show = (query: string) => {
    shown.current = query;
    if (query !== q) goTo(workspacePageAddress(workspaceId, 'find', { q: query, from }), { replace: true });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a pause in typing changes the address
  useEffect(() => {
    if (settled === typed) show(settled.trim());
  }, [settled]);
  const focusField = () => {
    field.current?.focus();
    field.current?.select();
  };
  // On a phone, the keyboard would cover the results.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the page opens
  useEffect(() => {
    if (shown.current === '' || !matchMedia('(pointer: coarse)').matches) focusField();
  }, []);
  useCommands([{ id: 'find.all', words: shortcuts.findAll, keys: ['Mod+Shift+F'], run: focusField }]);
  const type = (query: string) => {
    setTyped(query);
    field.current?.focus();
  };

  return (
    <div className="page find-page">
      <PageHeading title={texts.title} />
      <search>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            keepRecentSearch(workspaceId, typed.trim());
            show(typed.trim());
          }}
        >
          <input
            ref={field}
            type="search"
            className="ui-input"
            aria-label={texts.field}
            placeholder={texts.field}
            value={typed}
            maxLength={searchQueryMaxCharacters}
            autoComplete="off"
            spellCheck={false}
            dir="auto"
            onChange={(event) => setTyped(event.target.value)}
          />
        </form>
        <FilterRow query={typed} folder={from} onChange={type} />
      </search>
      {q === '' ? (
        <>
          <RecentSearches workspaceId={workspaceId} onPick={type} />
          <Help />
        </>
      ) : parsedQuery(q) === null ? (
        <EmptyState icon="search" text={texts.tooLong} />
      ) : (
        <Results workspaceId={workspaceId} query={q} />
      )}
    </div>
  );
}

function Results({ workspaceId, query }: { readonly workspaceId: string; readonly query: string }) {
  const found = useInfiniteQuery({
    queryKey: [...queryKeys.workspace(workspaceId), 'find-all', query],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      client.find(workspaceId, query, {
        limit: pageResults,
        ...(pageParam === '' ? {} : { cursor: pageParam }),
        signal,
      }),
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
    refetchOnWindowFocus: false,
    placeholderData: keepPreviousData,
  });
  const state = useListing(workspaceId);
  const listing = state.kind === 'ready' ? state.listing : null;
  const { data, error } = found;
  if (data === undefined) {
    return error === null ? (
      <LoadingLines rowHeight={64} />
    ) : (
      <LoadFailure what={texts.theResults} error={error} onRetry={() => void found.refetch()} />
    );
  }
  // A file may move to the next page while the user reads.
  const results = new Map(data.pages.flatMap((page) => page.results).map((result) => [result.path, result]));
  const { total = 0, isTotalExact = true } = data.pages.at(-1) ?? {};
  return (
    <div className="find-results" aria-busy={found.isPlaceholderData}>
      <p role="status" className="find-total">
        {results.size === 0 && isTotalExact ? '' : texts.total(total, isTotalExact)}
      </p>
      {results.size === 0 ? (
        <EmptyState icon="search" text={texts.nothing}>
          <Help />
        </EmptyState>
      ) : (
        // biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of lists without markers
        <ol role="list" aria-label={texts.results}>
          {[...results.values()].map((result) => (
            <ResultItem
              key={result.path}
              workspaceId={workspaceId}
              result={result}
              words={wordsOnly(query)}
              listing={listing}
              onOpen={() => keepRecentSearch(workspaceId, query)}
            />
          ))}
        </ol>
      )}
      {found.isFetchingNextPage ? <LoadingLines rows={2} rowHeight={64} /> : null}
      {error === null ? null : (
        <LoadFailure
          what={texts.theResults}
          error={error}
          onRetry={() => void (found.isFetchNextPageError ? found.fetchNextPage() : found.refetch())}
        />
      )}
      {found.hasNextPage && !found.isFetchingNextPage && error === null ? (
        <div className="page-actions">
          <Button needsServer onClick={() => void found.fetchNextPage()}>
            {texts.showMore}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

type Result = Awaited<ReturnType<typeof client.find>>['results'][number];

function ResultItem({
  workspaceId,
  result,
  words,
  listing,
  onOpen,
}: {
  readonly workspaceId: string;
  readonly result: Result;
  readonly words: string;
  readonly listing: Listing | null;
  onOpen(): void;
}) {
  const { path, name, isDir, title, matches, changedAt, changedBy } = result;
  const heading = visibleName(title ?? name);
  const address = isDir ? folderAddress(workspaceId, path) : fileAddress(workspaceId, path);
  // Without a title, the name is above already.
  const where = title === null ? folderOf(path) : path;
  return (
    <li className="find-result">
      <GivenIcon
        icon={listing === null ? undefined : ownValue(listing.icons, path)}
        plain={isDir ? 'folder' : fileIcon(name)}
      />
      <div>
        <AppLink to={address} className="find-name" onClick={onOpen}>
          <FoundText parts={partsOf(heading, matchesIn(heading, words))} />
        </AppLink>
        <p className="find-facts">
          {where === '' ? null : <bdi>{visibleName(where)}</bdi>}
          {changedAt === null ? null : (
            <span>
              {texts.changed} <Time at={changedAt} />{' '}
              {changedBy === null ? null : (
                <>
                  {texts.by} <bdi>{visibleName(changedBy)}</bdi>
                </>
              )}
            </span>
          )}
        </p>
        {matches.map((match) => (
          <AppLink
            key={match.line}
            to={lineAddress(workspaceId, path, { line: match.line, words })}
            className="find-line"
            onClick={onOpen}
          >
            <span className="find-line-number">
              <span className="visually-hidden">{texts.line} </span>
              {match.line}
            </span>
            <FoundText parts={excerptOf(match, words, isMarkdown(path, ''))} />
          </AppLink>
        ))}
      </div>
    </li>
  );
}

function RecentSearches({
  workspaceId,
  onPick,
}: {
  readonly workspaceId: string;
  onPick(query: string): void;
}) {
  const searches = useStore(recentSearchesOf(workspaceId));
  if (searches.length === 0) return null;
  return (
    <section className="find-recent" aria-label={texts.recentSearches}>
      <h2>{texts.recentSearches}</h2>
      {searches.map((query) => (
        <Button key={query} kind="quiet" onClick={() => onPick(query)}>
          <Icon name="history" />
          <bdi>{query}</bdi>
        </Button>
      ))}
    </section>
  );
}

function Help(): ReactNode {
  return (
    <section className="find-help" aria-label={texts.help}>
      <h2>{texts.help}</h2>
      <dl>
        {texts.helpRows.map(([example, meaning]) => (
          <div key={example}>
            <dt>
              {example.split(', ').map((each) => (
                <code key={each}>{each}</code>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
