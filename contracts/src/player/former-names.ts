import type { PersonKind } from './person.events.ts';

/** What is shown in place of an erased name. A page tells by it who was erased. */
export const formerNames: Readonly<Record<PersonKind, string>> = {
  player: 'Former player',
  coach: 'Former coach',
  'team-contact': 'Former contact',
  requester: 'Former requester',
};
