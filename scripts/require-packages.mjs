// Loaded before the scripts that `npm ci` has to come before: without it they would end in a trace of the first import
// that fails. JavaScript, because the Node of the machine may be one that cannot run TypeScript.
import { existsSync, readFileSync } from "node:fs";

const ROOT = new URL("../", import.meta.url);

const { dependencies, devDependencies } = JSON.parse(
  readFileSync(new URL("package.json", ROOT), "utf8"),
);
const missing = Object.keys({ ...dependencies, ...devDependencies }).filter(
  (name) => !existsSync(new URL(`node_modules/${name}/package.json`, ROOT)),
);
if (missing.length > 0) {
  const [first = "", ...others] = missing;
  const rest = others.length > 0 ? ` and ${others.length} more` : "";
  console.error(`Packages are not installed (${first}${rest}): run \`npm ci\` first`);
  process.exit(1);
}
