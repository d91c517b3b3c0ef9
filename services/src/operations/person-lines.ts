import type { PersonAnswer } from '@courtledger/contracts/operations/audit.answers';
import { countText } from '@courtledger/projections/operations/told-names';

const listed = (items: readonly string[]): string => (items.length === 0 ? 'nothing' : items.join(', '));

/** A person as one line at a terminal. */
export const personLine = ({ personId, kind, name, of, erased }: PersonAnswer): string =>
  `${personId}  ${kind}  ${name === '' ? '(no name)' : name}${of === '' ? '' : `  ${of}`}${erased ? '  ERASED' : ''}`;

/** What an erasure takes, and what stays. */
export const erasureLines = ({ goes, stays, kind, unreadable }: PersonAnswer): readonly string[] => [
  `  goes:  ${listed([...(unreadable === true ? ['whatever is recorded of the person'] : goes.details), ...(goes.photo ? ['every photo'] : []), ...(goes.document ? ['the ID document'] : []), 'the key that opens them'])}`,
  `  stays: ${listed([...(kind === 'player' ? [`the entries in ${countText(stays.matches, 'match', 'matches')}`] : []), `the place, as '${stays.as}'`, 'that it was erased, by whom and why'])}`,
];
