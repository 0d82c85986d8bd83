import { KeyCache } from "./key-cache.ts";

/** The keys that this isolate knows. Nothing else at module scope is ever written. */
export const knownKeys = new KeyCache();
