// Bundle size of an app with the SDK, minified and gzipped. The limits are checked by test/sdk/bundle.test.ts.
import { buildApp, takeModules } from "../../test/sdk/build-app.ts";
import type { Cell, Figure } from "../cell.ts";

/** The imports, and whether the bundler splits lazily loaded parts. */
const APPS: readonly (readonly [name: string, source: string, isSplit: boolean])[] = [
  ["an app with a client token, at its start", takeModules("sdk/session/connect-session.ts"), true],
  ["a server, at its start", takeModules("sdk/reprise.ts"), true],
  ["all of it", `export * from "@reprise/sdk";`, false],
];

export const bundleSize: Cell = {
  name: "bundle-size",
  title: "the SDK in an app's bundle, minified, after gzip",
  isQuick: true,
  async run() {
    return Promise.all(
      APPS.map(async ([name, source, isSplit]): Promise<Figure> => {
        const { files } = await buildApp(source, { isSplit });
        const bytes = files
          .filter(({ isInitial }) => isInitial)
          .reduce((sum, { gzipBytes }) => sum + gzipBytes, 0);
        return { name, unit: "KB", samples: { reprise: [bytes / 1_000] } };
      }),
    );
  },
};
