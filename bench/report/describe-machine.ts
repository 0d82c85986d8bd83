// Describes versions and machine of a run.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, loadavg, release, totalmem, type } from "node:os";

/** Names and versions of the installed packages. */
export function describeVersions(): string {
  const fromHere = createRequire(import.meta.url);
  const ofPeers = createRequire(new URL("../package.json", import.meta.url));
  const fromMiniflare = createRequire(fromHere.resolve("miniflare"));
  const packages = [
    ["workerd", fromMiniflare],
    ["agents", ofPeers],
    ["@cloudflare/ai-chat", ofPeers],
    ["ai", ofPeers],
  ] as const;
  const versions = packages.flatMap(([name, require]) => {
    const version = readVersion(name, require);
    return version ? [`${name} ${version}`] : [];
  });
  return [`Node ${process.versions.node}`, ...versions].join(", ");
}

/** Includes the load average of the last minute, because other load affects the figures. */
export function describeMachine(): string {
  const model = cpus()[0]?.model ?? "unknown";
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const load = loadavg()[0]?.toFixed(2) ?? "unknown";
  return `${cpus().length} cores (${model.trim()}), ${gigabytes} GiB, ${type()} ${release()}, load ${load}`;
}

/** Reads the version from the package's package.json, wherever its main module is. */
function readVersion(name: string, require: NodeJS.Require): string | null {
  for (const folder of require.resolve.paths(name) ?? []) {
    try {
      const file = readFileSync(`${folder}/${name}/package.json`, "utf8");
      return (JSON.parse(file) as { version: string }).version;
    } catch {
      // The package is not in this folder; try the parent.
    }
  }
  return null;
}
