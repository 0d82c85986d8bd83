import { existsSync } from "node:fs";

const FOLDER = "test/matrix/front-ends";

/** @throws with the command that installs the released front ends, when they are not. */
export function requirePackages(): void {
  if (existsSync(`${FOLDER}/node_modules/react`)) return;
  throw new Error(
    `The released front ends are not installed: run \`npm ci --ignore-scripts --prefix ${FOLDER}\`.`,
  );
}
