const { PATH = '', NODE_COMPILE_CACHE } = process.env;

/** What a program of this repository needs to start, and to start quickly: nothing that it would read as a setting. */
export const programEnvironment: Readonly<Record<string, string>> = {
  PATH,
  ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
};
