import type { Visit } from "./visit.ts";

/** Checks a value under one keyword: reports to the visit that it fails, or which members or elements it has evaluated. */
export type Keyword<Value> = (visit: Visit, value: Value) => void;
