/** Why an entry is not reversed or moved: every refusal of a correction that depends on what was done before, in one place. */
export const correctionTexts = {
  /** Of a command that says which preview it was decided on. */
  outdated: 'The match or the standings changed since the preview: look at it again',
  reversed: 'This entry is reversed already',
  countsAgain: 'This entry was taken back and restored: take the restoring back, or move the entry',
  moved: 'This was moved: move the entry back instead, or take it back there first',
  reversalCounts: 'A reversal cannot be moved: move the entry itself, which counts',
  reversalStands: 'A reversal cannot be moved: reverse it, and move the entry itself',
} as const;
