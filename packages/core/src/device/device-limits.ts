/** How long a device code may be approved and its key fetched (specification: Limits). */
export const deviceCodeLifetimeSeconds = 600;
/** The shortest time between two polls. */
export const devicePollIntervalSeconds = 5;
