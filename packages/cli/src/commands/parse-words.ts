import { InvalidArgumentError, Option } from 'commander';

/** A flag's whole number of at least `min`, for commander, which names the flag in its refusal. */
export function wholeNumber(min: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d{1,15}$/.test(text) && value >= min) return value;
    throw new InvalidArgumentError(`It must be a whole number of at least ${min}.`);
  };
}

/** Of commands that a running watch is asked to do. */
export function answerTimeout(): Option {
  return new Option('--timeout <seconds>', 'how long to wait for a running watch, else 60').argParser(
    wholeNumber(0),
  );
}
