// Text from values: what was thrown, what another process sent, what a program was given.
import type { Input } from './protocol';

export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Empty if it is no text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function inputWords(input: Input): string {
  const name = input.kind === 'variable' ? `environment variable ${input.name}` : input.name;
  if (input.value === null) return `${name} is not set`;
  return `${name} = ${input.kind === 'value' ? input.value : `"${input.value}"`}`;
}
