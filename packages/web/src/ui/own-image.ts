/** Whether an icon is an uploaded image: those have an address of this service, and no other is ever loaded. */
export function isOwnImage(icon: string | null): icon is string {
  return icon !== null && URL.canParse(icon) && new URL(icon).origin === location.origin;
}
