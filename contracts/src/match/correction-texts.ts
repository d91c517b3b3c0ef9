/** Why an entry is not reversed or moved: every refusal of a correction that depends on what was done before, in one place. */
export const correctionTexts = {
  /** Of a command that says which preview it was decided on. */
  outdated: 'The match or the standings changed since the preview: look at it again',
  /** Of what is reversed already, by what it is: an entry, what took one back, or what restored one; and by whether the entry counts since. */
  undone: {
    entry: { counts: 'This entry was taken back and restored: take the restoring back, or move the entry', countsNot: 'This entry is reversed already' },
    takingBack: { counts: 'This entry was restored already', countsNot: 'This entry was restored already, and taken back again since' },
    restoring: { counts: 'This entry was taken back again already, and restored since', countsNot: 'This entry is taken back again already' },
  },
  moved: 'This was moved: move the entry back instead, or take it back there first',
  reversalCounts: 'A reversal cannot be moved: move the entry itself, which counts',
  reversalStands: 'A reversal cannot be moved: reverse it, and move the entry itself',
} as const;
