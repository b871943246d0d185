import { InvalidArgumentError, Option } from 'commander';

/** Parses a flag's whole number of at least `min`. Commander adds the flag's name to the error. */
export function wholeNumber(min: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d{1,15}$/.test(text) && value >= min) return value;
    throw new InvalidArgumentError(`It must be a whole number of at least ${min}.`);
  };
}

/** For commands that send a request to a running watch. */
export function parseTimeout(): Option {
  return new Option('--timeout <seconds>', 'how long to wait for a running watch (default 60)').argParser(
    wholeNumber(0),
  );
}
