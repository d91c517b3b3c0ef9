/** Rules of the 'Assign Match' modal (specification sections 4 and 5). */

/**
 * Picks a team: selecting one toggles it, and a third pick when two are selected replaces the selection with only the new team.
 */
export const pickTeam = (picked: readonly string[], teamId: string): readonly string[] => {
  if (picked.includes(teamId)) return picked.filter((id) => id !== teamId);
  return picked.length >= 2 ? [teamId] : [...picked, teamId];
};

/** Two teams and a date; the time is optional. */
export const canAssign = (picked: readonly string[], date: string | null): boolean => picked.length === 2 && date !== null && date !== '';
