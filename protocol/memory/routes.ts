// Routes on memory stores.
import type { Contract } from "../requests/contract.ts";
import { MEMORY_WORDS } from "./words.ts";

export const MEMORY_CONTRACT = {
  fields: MEMORY_WORDS,
} as const satisfies Contract;
