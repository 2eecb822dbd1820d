// Text from values whose type is not certain: what was thrown, what another process sent.

export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Empty if it is no text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
