import { isMarkdown, searchQueryMaxCharacters } from '@stoa/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useLayoutEffect, useState } from 'react';
import {
  type AddressSearch,
  fileAddress,
  folderAddress,
  isFileShown,
  lineAddress,
} from '../api/addresses.ts';
import { client } from '../api/client.ts';
import type { Listing } from '../api/listing-index.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useListing } from '../api/use-listing.ts';
import { recentFilesOf } from '../store/recent-files.ts';
import { serverResponds, useStore } from '../store/store.ts';
import { palette as texts } from '../text/en/palette.ts';
import { visibleName } from '../text/visible-name.ts';
import { useGoTo } from '../ui/AppLink.tsx';
import { ComboList, type ComboOption, comboKey } from '../ui/ComboList.tsx';
import { availableCommands, type Command, perform, registeredCommands, runCommand } from '../ui/commands.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { fileIcon, Icon } from '../ui/Icon.tsx';
import { keysText } from '../ui/keys.ts';
import { LoadFailure } from '../ui/States.tsx';
import { useSettled } from '../ui/use-settled.ts';
import { type ExcerptPart, excerptOf } from './excerpt.ts';
import { keptKeys } from './KeepKeys.tsx';
import { inGroups, onceEach, rankCommands } from './rank-commands.ts';
import './palette.css';

/** Limit of results; for more, the user types further. */
const resultsMax = 50;

/** Limit of matching lines in files, which are listed below. */
const linesMax = 10;
/** A shorter text matches nearly everywhere. */
const contentCharactersMin = 3;
const settleMs = 200;

interface Choice extends ComboOption {
  run(): void;
}

/** Finds files and folders by name or path, and commands after `>`. */
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
  const search = useSearch(workspaceId, isCommands ? '' : typed.trim());
  const paths = usePathChoices(workspaceId, isCommands ? '' : typed.trim(), search.data);
  const inFiles = useContentChoices(workspaceId, isCommands ? '' : typed.trim());
  const named = isCommands ? commandChoices(commands, typed.slice(1)) : paths;
  const options = [...named, ...inFiles].map((choice) => ({
    ...choice,
    run: () => {
      onClose();
      choice.run();
    },
  }));
  const chosen = Math.min(at, options.length - 1);
  const more =
    isCommands || search.data === undefined ? 0 : search.data.totalMatches - search.data.results.length;
  const isWaiting = !isCommands && typed.trim() !== '' && search.data === undefined;
  // The shown results still belong to earlier input.
  const isStale = !isCommands && typed.trim() !== '' && (search.isPending || search.isPlaceholderData);
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
            className="palette-input"
            role="combobox"
            aria-label={texts.findByName}
            placeholder={texts.findByName}
            aria-expanded="true"
            aria-controls={inFiles.length === 0 ? id : `${id} ${id}-in`}
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
              setTyped(event.target.value);
              setAt(0);
              setEntered(false);
            }}
            onKeyDown={(event) => {
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
        {search.error !== null && !isCommands ? (
          <LoadFailure what={texts.results} error={search.error} onRetry={() => void search.refetch()} />
        ) : (
          <>
            {typed.trim() === '' && named.length > 0 ? <Group>{texts.recent}</Group> : null}
            <ComboList
              id={id}
              label={isCommands ? texts.commands : texts.results}
              options={options.slice(0, named.length)}
              at={chosen}
              empty={isWaiting || typed.trim() === '' ? '' : isCommands ? texts.noCommand : texts.nothing}
              onPick={(index) => options[index]?.run()}
            />
          </>
        )}
        {inFiles.length > 0 && (
          <>
            <Group>{texts.inFiles}</Group>
            <ComboList
              id={`${id}-in`}
              label={texts.inFiles}
              options={options.slice(named.length)}
              at={chosen - named.length}
              empty=""
              onPick={(index) => options[named.length + index]?.run()}
            />
          </>
        )}
        {isCommands ? null : <p className="palette-foot">{more > 0 ? texts.more(more) : texts.hint}</p>}
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

/** Matching lines in files, once the user pauses typing. Listed below the names. */
function useContentChoices(workspaceId: string, wanted: string): readonly Choice[] {
  const goTo = useGoTo();
  const settled = useSettled(wanted, settleMs);
  const isWanted = wanted === settled && [...wanted].length >= contentCharactersMin;
  const { data } = useQuery({
    queryKey: [...queryKeys.workspace(workspaceId), 'search-content', wanted],
    queryFn: ({ signal }) => client.searchContent(workspaceId, wanted, { limit: linesMax, signal }),
    enabled: isWanted,
    staleTime: 0,
    gcTime: 10_000,
  });
  if (!isWanted || data === undefined) return [];
  return data.files.flatMap(({ path, lines }) =>
    lines.map(({ line, text }) => {
      const excerpt = excerptOf(text, wanted, isMarkdown(path, ''));
      const name = visibleName(path);
      return {
        key: `${line} ${path}`,
        label: texts.line(name, line, excerpt.map((part) => part.text).join('')),
        content: <FoundLine where={texts.lineOf(name, line)} excerpt={excerpt} />,
        picture: <Icon name={fileIcon(path)} />,
        run: () => {
          // A file that is shown keeps its mode and its panel.
          const { mode, panel } = isFileShown(workspaceId, path) ? currentSearch() : {};
          goTo(lineAddress(workspaceId, path, { line, words: wanted }, { mode, panel }));
        },
      };
    }),
  );
}

function currentSearch(): AddressSearch {
  return Object.fromEntries(new URLSearchParams(location.search));
}

function FoundLine({ where, excerpt }: { readonly where: string; readonly excerpt: readonly ExcerptPart[] }) {
  return (
    <>
      {/* The visible text is the name of the option. */}
      <span className="palette-where">{where}: </span>
      <span className="palette-excerpt" dir="auto">
        {excerpt.map(({ text, isMatch }, at) => {
          const Tag = isMatch ? 'mark' : 'span';
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other identity
          return <Tag key={at}>{text}</Tag>;
        })}
      </span>
    </>
  );
}

type Found = Awaited<ReturnType<typeof client.search>>;

function usePathChoices(workspaceId: string, wanted: string, found: Found | undefined): readonly Choice[] {
  const goTo = useGoTo();
  const state = useListing(workspaceId);
  const recent = useStore(recentFilesOf(workspaceId));
  const listing = state.kind === 'ready' ? state.listing : null;
  const locations =
    wanted === ''
      ? recent.filter((path) => listing?.files.has(path) ?? false).map((path) => ({ path, isDir: false }))
      : (found?.results ?? []);
  return locations.map(({ path, isDir }) => ({
    key: path,
    label: visibleName(path),
    picture: <Icon name={isDir ? 'folder' : fileIcon(path)} />,
    trailing: listing === null ? null : <Marks listing={listing} path={path} />,
    run: () => goTo(isDir ? folderAddress(workspaceId, path) : fileAddress(workspaceId, path)),
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
