type Fields = Readonly<Record<string, unknown>>;

/** Such as `3 of 10: reading`; null when there is nothing to say. */
export function describeProgress({ progress, total, message }: Fields): string | null {
  const said = typeof message === "string" ? message : "";
  if (typeof progress !== "number") return said || null;
  const count = typeof total === "number" ? `${progress} of ${total}` : String(progress);
  return said === "" ? count : `${count}: ${said}`;
}
