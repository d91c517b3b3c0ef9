/** Something was asked that cannot be done; the message says why. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
