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
  return `${name} = ${input.kind === 'value' ? (input.shown ?? input.value) : `"${input.value}"`}`;
}

/** How long ago a date (in milliseconds since 1970) was. */
export function ageWords(time: number): string {
  const seconds = Math.max(0, (Date.now() - time) / 1000);
  const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'} ago`;
  if (seconds < 60) return 'just now';
  if (seconds < 3600) return counted(Math.floor(seconds / 60), 'minute');
  if (seconds < 48 * 3600) return counted(Math.floor(seconds / 3600), 'hour');
  return counted(Math.floor(seconds / 86400), 'day');
}
