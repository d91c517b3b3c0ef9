import { adminEmailFacts, adminFacts } from '../admin/admin.events.ts';
import { matchFacts } from '../match/match.events.ts';
import { auditFacts, personFacts } from '../player/person.events.ts';
import { requestFacts } from '../request/request.events.ts';
import { teamFacts } from '../team/team.events.ts';
import { tournamentFacts } from '../tournament/tournament.events.ts';
import type { FactsOf } from './facts.ts';

/** Every fact there is, by type. A type stands in exactly one feature file. */
export const allFacts = { ...tournamentFacts, ...teamFacts, ...matchFacts, ...personFacts, ...auditFacts, ...adminFacts, ...adminEmailFacts, ...requestFacts };
export type Fact = FactsOf<typeof allFacts>;
export type FactType = Fact['type'];
/** Every type of fact, in the order of the features. */
export const factTypes = Object.keys(allFacts) as [FactType, ...FactType[]];
