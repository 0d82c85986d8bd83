import { expect, it } from "vitest";

import { audioFilesOf } from "../../../console/components/message/audio-files-of.ts";

const ID = "fil_01m8q645pgagdj0419s7gvgdc7";
const URL = `https://reprise.example/v1/files/${ID}/content`;

function files(kept_audio: unknown) {
  return audioFilesOf({ metadata: { kept_audio } });
}

it("has the files of the platform that a message names, each once", () => {
  const other = URL.replace("c7/", "c8/");
  const kept = [
    { url: URL, ms: 1_840 },
    { url: other, ms: 500, block_id: "b1" },
    { url: URL, ms: 1_840 },
  ];

  expect(files(kept)).toEqual([
    { fileId: ID, seconds: 1.84 },
    { fileId: ID.replace(/7$/, "8"), seconds: 0.5 },
  ]);
});

it.each([
  [undefined],
  [null],
  ["none"],
  [{ url: URL, ms: 1 }],
  [[null, 7, "x", [], {}]],
  [[{ url: "javascript:alert(1)", ms: 1 }]],
  [[{ url: "https://evil.example/a.wav", ms: 1 }]],
  [[{ url: `${URL}?token=1`, ms: 1 }]],
  [[{ url: `https://reprise.example/v1/files/../${ID}/content`, ms: 1 }]],
  [[{ url: [URL], ms: 1 }]],
])("has none in audio of another shape: %j", (kept) => {
  expect(files(kept)).toEqual([]);
});

it("takes a length that is none for nothing, and no more files than are listed", () => {
  const many = Array.from({ length: 300 }, (_, index) => ({
    url: URL.replace(/01m8q6.{20}/, String(index).padStart(26, "0")),
    ms: Number.NaN,
  }));

  expect(
    files([
      { url: URL, ms: -1 },
      { url: `${URL}`, ms: "1" },
    ]),
  ).toEqual([{ fileId: ID, seconds: 0 }]);
  expect(files(many)).toHaveLength(256);
});
