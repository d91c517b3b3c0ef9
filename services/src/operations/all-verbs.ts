import type { Verb } from './verb.ts';
import { backup } from './verbs/backup.verb.ts';
import { cancel } from './verbs/cancel.verb.ts';
import { drill } from './verbs/drill.verb.ts';
import { erase } from './verbs/erase.verb.ts';
import { event } from './verbs/event.verb.ts';
import { exportVerb } from './verbs/export.verb.ts';
import { importVerb } from './verbs/import.verb.ts';
import { newKey } from './verbs/new-key.verb.ts';
import { persons } from './verbs/persons.verb.ts';
import { rebuild, verify } from './verbs/rebuild.verb.ts';
import { replayParked } from './verbs/replay-parked.verb.ts';
import { restore } from './verbs/restore.verb.ts';
import { seasonFile } from './verbs/season-file.verb.ts';
import { status } from './verbs/status.verb.ts';
import { switchBack } from './verbs/switch-back.verb.ts';
import { stream, tail } from './verbs/tail.verb.ts';
import { trace } from './verbs/trace.verb.ts';
import { verifyLog } from './verbs/verify-log.verb.ts';

/** Every verb of the command line, in the order of its help. */
export const allVerbs: readonly Verb[] = [
  status,
  rebuild,
  verify,
  cancel,
  switchBack,
  replayParked,
  tail,
  stream,
  event,
  trace,
  verifyLog,
  backup,
  restore,
  drill,
  exportVerb,
  importVerb,
  newKey,
  seasonFile,
  persons,
  erase,
];
