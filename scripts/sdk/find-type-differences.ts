// Whether the types that were written out for the SDK's package are what zod infers from the schemas.
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

import type { BuiltSdk } from "./build-sdk.ts";
import type { PlainType } from "./write-plain-sources.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const COMPARISON = `type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : Both<A, B>;
// Mutual assignment where the compiler sees two spellings of one type.
type Both<A, B> = [A] extends [B] ? ([B] extends [A] ? Keys<A, B> : false) : false;
// An index signature of texts has the key number too, or not, as the compiler came to it.
type Names<A> = Extract<keyof A, string>;
type Keys<A, B> = [Names<A>] extends [Names<B>] ? ([Names<B>] extends [Names<A>] ? true : false) : false;
type Expect<Result extends true> = Result;
`;

/**
 * Compiles a comparison of each type, and the sources of the package with it.
 *
 * @returns The compiler's messages; empty when all are the same.
 */
export async function findTypeDifferences({ sources, plainTypes }: BuiltSdk): Promise<string> {
  const target = dirname(sources);
  const file = join(target, "compare.ts");
  writeFileSync(file, compare(plainTypes, target));
  const config = join(target, "tsconfig.compare.json");
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(ROOT, "tsconfig.sdk.json"),
      compilerOptions: { noUnusedLocals: false, noUnusedParameters: false },
      include: [file, join(sources, "sdk")],
    }),
  );
  return new Promise((resolve, reject) => {
    execFile(join(ROOT, "node_modules/.bin/tsc"), ["-p", config], (error, stdout, stderr) => {
      if (error && typeof error.code !== "number") reject(error);
      else resolve(error ? stdout + stderr : "");
    });
  });
}

/** A line for each type, so that a message of the compiler shows which one differs. */
function compare(types: readonly PlainType[], target: string): string {
  const paths = [...new Set(types.map(({ path }) => path))];
  const root = relative(target, ROOT);
  const imports = paths.flatMap((path, index) => [
    `import type * as Schemas${index} from "${root}/${path}";`,
    `import type * as Types${index} from "./sources/${path}";`,
  ]);
  const lines = types.map(({ path, name, schema, side, isFrozen }, index) => {
    const module = paths.indexOf(path);
    const inferred = isFrozen
      ? `Schemas${module}.${name}`
      : `(typeof Schemas${module}.${schema})["_zod"]["${side}"]`;
    return `export type Check${index} = Expect<Same<${inferred}, Types${module}.${name}>>; // ${path}`;
  });
  return `${imports.join("\n")}\n\n${COMPARISON}\n${lines.join("\n")}\n`;
}
