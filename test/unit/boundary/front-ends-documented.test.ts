// The guides to the released front ends show the files that the matrix runs, and docs/ag-ui.md the versions.
import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

const FOLDER = "test/matrix/front-ends";

describe("the released front ends", () => {
  it.each([
    ["copilotkit", ["runtime.ts", "resuming-fetch.ts", "chat.tsx", "approvals.tsx"]],
    ["interrupts", ["interrupt-form.tsx"]],
    [
      "assistant-ui",
      [
        "back-end.ts",
        "reprise-agent.ts",
        "resuming-fetch.ts",
        "load-messages.ts",
        "chat.tsx",
        "thread.tsx",
        "approvals.tsx",
      ],
    ],
  ])("are documented by the files that run: %s", (name, files) => {
    const guide = readFileSync(`docs/guides/${name}.md`, "utf8");

    const shown = [...guide.matchAll(/ as (\S+) -->\n```tsx?\n\/\/ (.*)\n([^]*?)\n```/g)].map(
      ([, path = "", file, code]) => ({ path, file, code }),
    );

    expect(shown.map(({ file }) => file)).toEqual(files);
    for (const { path, file, code } of shown) {
      expect(path.endsWith(`/${file}`)).toBe(true);
      // A reader has all files in one folder.
      const source = readFileSync(path, "utf8").replaceAll(/"\.\.\/(?=resuming|interrupt)/g, '"./');
      expect(`${code}\n`).toBe(source);
    }
  });

  it("are documented with the versions that are installed", () => {
    const page = readFileSync("docs/ag-ui.md", "utf8");
    const section = page.slice(page.indexOf("### Front ends"), page.indexOf("## Threads and runs"));
    const { dependencies } = JSON.parse(readFileSync(`${FOLDER}/package.json`, "utf8")) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };

    const rows = [...section.matchAll(/^\| `(\S+)`.* \| (\d\S*) \|$/gm)].map(
      ([, name = "", version]) => [name, version],
    );

    expect(rows.length).toBe(6);
    expect(rows).toEqual(rows.map(([name = ""]) => [name, dependencies[name]]));
  });
});
