// The bytes that a browser loads until the console's first page can be used.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { readPages } from "./read-pages.ts";

/** Bytes after gzip of the scripts and styles of the first load. */
export const MAX_FIRST_LOAD_BYTES = 250_000;

/** A file of Vite's manifest. */
interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

/**
 * Everything that the page and the code of the first page in the list load, with the event reader that the SDK loads by itself left out.
 * @param folder Of the built console. @returns bytes after gzip, level 6, as servers use it.
 */
export function measureFirstLoad(folder: string): number {
  const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as Readonly<
    Record<string, Chunk>
  >;
  const files = new Set<string>(["index.html"]);
  const seen = new Set<string>();
  function visit(name: string): void {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`the build of the console has no ${name}`);
    if (seen.has(name)) return;
    seen.add(name);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const imported of chunk.imports ?? []) visit(imported);
  }
  visit("index.html");
  const [first] = readPages();
  if (first) visit(first.code);
  return [...files].reduce(
    (sum, file) => sum + gzipSync(readFileSync(join(folder, file)), { level: 6 }).byteLength,
    0,
  );
}
