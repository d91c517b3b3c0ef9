import { isLegible, type RecordedEvent } from '@courtledger/contracts/kernel/event';
import { isOfAnotherProgram } from '@courtledger/contracts/kernel/other-programs';
import { kathmanduDay } from '@courtledger/contracts/kernel/days';
import { personIdOf, personStream } from '@courtledger/contracts/player/person.events';
import { documentsDue } from '@courtledger/projections/operations/retention.queries';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PersonId } from '@courtledger/contracts/kernel/ids';
import type { After } from './event-log/event-log.ts';
import { EventNotRead } from './event-log/event-not-read.ts';
import { expectReadable, toFact } from './event-log/upcast.ts';
import { systemContext } from './platform/command-context.ts';
import { leftAloneMilliseconds } from './platform/half-finished.ts';
import { pagesUntilKept, type KeptFold } from './platform/kept-fold.ts';
import type { DocumentStore } from './platform/documents.ts';
import type { FeatureDeps } from './platform/feature-deps.ts';
import type { MediaStore } from './platform/media.ts';
import { withoutDocument } from './platform/person-record.ts';

export type FileUpkeepDeps = Pick<FeatureDeps, 'log' | 'commands' | 'vault' | 'clock' | 'newId' | 'reader'> & {
  /** Whether this is all of the log that belongs here, as far as is known: nothing of it is missing, and it takes writes. */
  readonly isWhole: () => boolean;
  readonly documents: Pick<DocumentStore, 'remove' | 'sweepOrphans'>;
  readonly media: Pick<MediaStore, 'sweepOrphans'>;
  readonly failed: (error: unknown) => void;
  /** Where the fold is kept over restarts; without it every start reads the whole log. */
  readonly kept?: KeptFold<References>;
};
export type Kept = { readonly documents: number; readonly orphans: number };

const pageSize = 500;
/** ID documents are destroyed so many days after the last tournament of their team has ended (S35). */
const retentionDays = 90;
const mediaAddress = /\/media\/[A-Za-z0-9_-]{24}\.(?:jpg|png)/g;
const withMedia: ReadonlySet<string> = new Set([
  'TournamentCreated',
  'TournamentDetailsChanged',
  'TeamRegistered',
  'TeamDetailsCorrected',
  'TournamentRequested',
]);

/**
 * What the log refers to, folded up to a position. By the stream that says so, since a stream may end (an erased person, an expired registration). `since`, in
 * milliseconds: what is older may belong to another log, that stood here before or will again, and is nobody's to remove; undefined while the log has no fact.
 * `known`: since when this folder knows this log; 0 where nothing is kept. `closed`: persons whose details could not be opened, their key being destroyed: what
 * they refer to is nothing only for as long as it is.
 */
export type References = {
  position: After;
  since: number | undefined;
  known: number;
  readonly images: Map<string, Set<string>>;
  readonly documents: Map<string, string>;
  readonly closed: Set<string>;
};

/** What a kept fold is good for. */
export const referencesVersion = '5';

/** Nothing was read yet. */
export const noReferences = (): References => ({ position: 'start', since: undefined, known: 0, images: new Map(), documents: new Map(), closed: new Set() });

/** Takes up what an event refers to. @param open details of a person, null where their key is gone */
export const noteReferences = (
  references: References,
  event: RecordedEvent,
  open: (personId: PersonId, sealed: string) => { readonly photo?: string | undefined; readonly document?: { readonly documentId: string } | undefined } | null,
): void => {
  references.position = event.position;
  if (isOfAnotherProgram(event)) return;
  references.since ??= Date.parse(event.time);
  const { type, stream, data } = event;
  const imagesOf = (name: string): Set<string> => {
    const known = references.images.get(name) ?? new Set();
    references.images.set(name, known);
    return known;
  };
  if (withMedia.has(type)) for (const [address] of JSON.stringify(data).matchAll(mediaAddress)) imagesOf(stream).add(address);
  if (type === 'TeamRegistrationExpired') references.images.delete(stream);
  if (type === 'PersonErased') {
    const { personId } = data as { personId: PersonId };
    references.images.delete(personStream(personId));
    references.documents.delete(personId);
    references.closed.delete(personId);
  }
  if (type !== 'PersonDetailsRecorded' || !isLegible(event)) return;
  const fact = toFact(event);
  if (fact.type !== 'PersonDetailsRecorded') return;
  const { personId, sealed } = fact.data;
  const details = open(personId, sealed);
  if (details === null) references.closed.add(personId);
  // An older photo stays while its fact can be read; of documents only the last is needed.
  if (details?.photo !== undefined) imagesOf(stream).add(details.photo);
  if (details?.document === undefined) references.documents.delete(personId);
  else references.documents.set(personId, details.document.documentId);
};

/** A file that the log refers to, as a path in DATA_DIR or a backup, and the person of whom it is. */
export type NamedFile = { readonly path: string; readonly personId: PersonId | undefined };

export const filesOf = ({ images, documents }: References): readonly NamedFile[] => [
  ...[...images].flatMap(([stream, addresses]) =>
    [...addresses].filter((address) => address.startsWith('/media/')).map((address) => ({ path: address.slice(1), personId: personIdOf(stream) })),
  ),
  ...Array.from(documents, ([personId, documentId]) => ({ path: `documents/${documentId}`, personId })),
];

export type FileUpkeep = {
  run(): Promise<Kept>;
  /** What the log refers to, as of the last run. */
  named(): readonly NamedFile[];
};

/**
 * The files' side of the housekeeping: ID documents of tournaments that ended long ago are destroyed, and files that no fact refers to are removed once they
 * are a day old. Without a kept fold the first run reads the whole log, the next ones what is new. A start with a wrong address, on an empty log or on an older
 * copy, must not take the files of the right one: nothing is removed that is older than the log, or than the moment at which another log stood here than
 * before, nothing on the first day with a log, and nothing while the log is known to be damaged.
 */
export const createFileUpkeep = (deps: FileUpkeepDeps): FileUpkeep => {
  const { log, clock, newId, vault, documents, media, reader, failed } = deps;
  let references = noReferences();
  let isLoaded = false;
  /** A person's key was not there: what their details refer to is not known, and must not be taken for nothing after the key has been restored. */
  let isCertain = true;
  const open = (personId: PersonId, sealed: string) => {
    if (vault.state(personId) !== 'absent') return vault.open(personId, sealed);
    isCertain = false;
    return null;
  };

  const load = async (): Promise<void> => {
    if (isLoaded) return;
    const kept = await deps.kept?.load();
    if (deps.kept !== undefined) references.known = clock.now();
    // What was folded here is of another log, or of a part that this one has lost: a wrong address, an older copy. Its files wait for it.
    if (kept === undefined && (await deps.kept?.isOfAnotherLog()) === true) references.since = clock.now();
    references = kept?.state ?? references;
    isLoaded = true;
  };

  const catchUp = async (): Promise<void> => {
    await load();
    // Keys that were given up, or an older copy, and the right file is back in its place: what those persons refer to is not nothing any more.
    if ([...references.closed].some((personId) => vault.state(personId) === 'active'))
      references = { ...noReferences(), since: references.since, known: references.known };
    let last: RecordedEvent | undefined;
    const keep = (): void => {
      if (last === undefined || !isCertain) return;
      try {
        deps.kept?.save(last, references);
      } catch (error) {
        failed(error);
      }
    };
    for (let pages = 1; ; pages += 1) {
      const events = await log.readAll(references.position, pageSize);
      for (const event of events) {
        try {
          // What a newer release records may name any file.
          expectReadable(event);
          noteReferences(references, event, open);
        } catch (error) {
          references.position = event.position;
          // What a fact refers to that this release cannot read is not known either.
          isCertain = false;
          failed(new EventNotRead(event, error));
        }
      }
      // By a fact that nobody else removes the log is known again.
      last = events.findLast((event) => !isOfAnotherProgram(event)) ?? last;
      if (events.length < pageSize) break;
      if (pages % pagesUntilKept === 0) keep();
      await nextTurn();
    }
    keep();
  };

  return {
    named: () => filesOf(references),
    async run() {
      let destroyed = 0;
      await catchUp();
      // A wrong log, or an older copy, has a day in which it is seen to be that.
      if (!deps.isWhole() || clock.now() - references.known < leftAloneMilliseconds) return { documents: 0, orphans: 0 };
      const until = kathmanduDay(clock.now() - retentionDays * 24 * 3600 * 1000);
      for (const personId of documentsDue(reader(), until)) {
        try {
          // The fact first: a file that is left by a crash is an orphan.
          const documentId = await deps.commands.inTurn(personStream(personId), async () => withoutDocument(deps, personId, systemContext(newId, clock)));
          if (documentId === undefined) continue;
          await documents.remove(documentId);
          destroyed += 1;
        } catch (error) {
          failed(error);
        }
      }
      await catchUp();
      // A file that nobody is known to refer to may be somebody's all the same.
      const { since } = references;
      if (!isCertain || since === undefined || !deps.isWhole()) return { documents: destroyed, orphans: 0 };
      const ages = { since, now: clock.now() };
      const images = new Set(Array.from(references.images.values(), (addresses) => [...addresses]).flat());
      const orphans = [...(await media.sweepOrphans(images, ages)), ...(await documents.sweepOrphans(new Set(references.documents.values()), ages))];
      return { documents: destroyed, orphans: orphans.length };
    },
  };
};
