import { KeyCache } from "./key-cache.ts";

/** The API key cache of this isolate. */
export const knownKeys = new KeyCache();
