/** Lets so many requests of each key through. */
export const LIMIT = 3;

/** A brake without a window: how long the requests of a test take changes nothing. */
export function smallLimit(): RateLimit {
  const counts = new Map<string, number>();
  return {
    limit: async ({ key }) => {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return { success: count <= LIMIT };
    },
  };
}
