// `npm run build`: the console's files, anew only when their sources have changed.
import { buildConsole, CONSOLE_FILES } from "./build-console.ts";
import { MAX_FIRST_LOAD_BYTES, measureFirstLoad } from "./measure-first-load.ts";

const hasBuilt = await buildConsole();
const bytes = measureFirstLoad(CONSOLE_FILES);
const kib = (value: number) => `${Math.round(value / 1_000)} kB`;
console.log(
  `${hasBuilt ? "Built" : "Up to date:"} dist/assets/console; first load ${kib(bytes)} of ${kib(MAX_FIRST_LOAD_BYTES)} after gzip`,
);
