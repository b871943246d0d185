/** Whether an icon is an uploaded image. Those have an address of this server; no other image is ever loaded. */
export function isOwnImage(icon: string | null): icon is string {
  return icon !== null && URL.canParse(icon) && new URL(icon).origin === location.origin;
}
