import { globSync, readFileSync } from "node:fs";

import type { Mutant } from "@stryker-mutator/api/core";
import { Instrumenter } from "@stryker-mutator/instrumenter";

interface Config {
  /** Patterns as StrykerJS takes them: those with a `!` leave files out. */
  readonly mutate: readonly string[];
  readonly mutator: { readonly excludedMutations: string[] };
}

type Logger = ConstructorParameters<typeof Instrumenter>[0];

const SILENT = { isDebugEnabled: () => false, debug: () => {}, info: () => {}, warn: () => {} };

/** All mutants that StrykerJS would make with this configuration, but for those that it ignores. */
export async function listMutants({ mutate, mutator }: Config): Promise<readonly Mutant[]> {
  const leftOut = mutate.filter((pattern) => pattern.startsWith("!"));
  const paths = globSync(
    mutate.filter((pattern) => !leftOut.includes(pattern)),
    { exclude: leftOut.map((pattern) => pattern.slice(1)) },
  );
  const files = paths.map((path) => {
    const content = readFileSync(path, "utf8");
    return { name: `${process.cwd()}/${path}`, mutate: true, content };
  });
  const instrumenter = new Instrumenter(SILENT as unknown as Logger);
  const options = { ...mutator, ignorers: [], plugins: null };
  const { mutants } = await instrumenter.instrument(files, options);
  return mutants.filter(({ status }) => status === undefined);
}
