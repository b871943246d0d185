/**
 * Files beyond this are not commented on, and what was anchored in one that grew beyond is outdated: above the server's
 * own default ceiling, so only an operator who raised that meets it.
 */
export const anchoredFileMaxBytes = 128 * 1024 * 1024;
