import manifest from '../../package.json' with { type: 'json' };

/** This program's own. */
export const { version, description } = manifest;
