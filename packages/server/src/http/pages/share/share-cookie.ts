/**
 * The cookie with the proof of a link's password. Its path is that of the link, so all links use the same cookie
 * name.
 */
export interface ShareCookie {
  read(cookieHeader: string | null): string | null;
  write(token: string, proof: string, maxAgeSeconds: number): string;
}

const valueMaxCharacters = 256;

/** @param appUrl address of the links; the cookie is `Secure` if it uses https */
export function shareCookie(appUrl: string): ShareCookie {
  const { protocol, pathname } = new URL(appUrl);
  const isSecure = protocol === 'https:';
  const name = isSecure ? '__Secure-stoa_share' : 'stoa_share';
  const folder = `${pathname.replace(/\/+$/, '')}/s/`;
  return {
    read(cookieHeader) {
      for (const pair of (cookieHeader ?? '').split(';')) {
        const [key = '', value = ''] = pair.trim().split('=', 2);
        if (key === name && value.length <= valueMaxCharacters) return value;
      }
      return null;
    },
    write: (token, proof, maxAgeSeconds) =>
      `${name}=${proof}; Path=${folder}${token}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
  };
}
