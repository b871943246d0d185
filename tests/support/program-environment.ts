const { PATH = '', NODE_COMPILE_CACHE } = process.env;

/** The environment that a program of this repository needs for a quick start, without any of its settings. */
export const programEnvironment: Readonly<Record<string, string>> = {
  PATH,
  ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
};
