import { invalidRequest, parseVisibleLine, personNameMaxCharacters } from '@stoa/core';

const imageMaxCharacters = 2048;

/**
 * Parses the profile that users may change: their name, and the address of their picture (null or empty to remove
 * it). Members see both, so the address must be one that can only load a picture.
 * @throws WorkspaceError `invalid_request`, naming the field and the rule
 */
export function parseProfile(body: Readonly<Record<string, unknown>>): Record<string, string | null> {
  const profile: Record<string, string | null> = {};
  if (body.name !== undefined) profile.name = parseVisibleLine('name', body.name, personNameMaxCharacters);
  if (body.image !== undefined) profile.image = parseImage(body.image);
  return profile;
}

function parseImage(image: unknown): string | null {
  if (image === null || image === '') return null;
  const isPicture =
    typeof image === 'string' &&
    image.length <= imageMaxCharacters &&
    URL.canParse(image) &&
    new URL(image).protocol === 'https:';
  if (!isPicture) {
    const rule = `image must be an https:// address of at most ${imageMaxCharacters} characters`;
    throw invalidRequest(rule);
  }
  return image;
}
