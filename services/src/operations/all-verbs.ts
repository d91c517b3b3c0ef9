import type { Verb } from './verb.ts';
import { backup } from './verbs/backup.verb.ts';
import { rebuild, verify } from './verbs/rebuild.verb.ts';
import { replayParked } from './verbs/replay-parked.verb.ts';
import { status } from './verbs/status.verb.ts';
import { switchBack } from './verbs/switch-back.verb.ts';

/** Every verb of the command line, in the order of its help. */
export const allVerbs: readonly Verb[] = [status, rebuild, verify, switchBack, replayParked, backup];
