/** An answer as `GET address` would give it, at a position of the log. */
export type FirstAnswer = { readonly address: string; readonly position: string; readonly json: string };

/** What the first answer is made from: the read model that is open. */
export type FirstAnswerSource = {
  readonly position: () => bigint;
  readonly today: () => string;
  /** Makes the answer for a day (YYYY-MM-DD in Asia/Kathmandu). */
  readonly make: (today: string) => string;
};

/**
 * The answer that a page brings along, made once a position and a day: it goes out with every landing page, and takes milliseconds where there are many
 * tournaments. `forget`: after the read model was replaced, the same position may mean another answer.
 */
export const createFirstAnswer = (
  address: string,
  { position, today, make }: FirstAnswerSource,
): { readonly get: () => FirstAnswer; readonly forget: () => void } => {
  let kept: { readonly day: string; readonly answer: FirstAnswer } | undefined;
  return {
    get: () => {
      // Read before the answer, which may be newer but never older.
      const [at, day] = [String(position()), today()];
      if (kept?.answer.position !== at || kept.day !== day) kept = { day, answer: { address, position: at, json: make(day) } };
      return kept.answer;
    },
    forget: () => {
      kept = undefined;
    },
  };
};
