import { useEffect, useRef, useState, type RefObject } from "react";

/** The height that an element had when it was locked, so that what is below stays where it is; undefined before. */
export function useKeptHeight(
  element: RefObject<HTMLElement | null>,
  isLocked: boolean,
): number | undefined {
  const height = useRef<number | undefined>(undefined);
  const [kept, setKept] = useState<number | undefined>(undefined);
  // While it is drawn, before the browser has laid the locked element out anew.
  if (isLocked && kept === undefined && height.current !== undefined) setKept(height.current);
  if (!isLocked && kept !== undefined) setKept(undefined);
  useEffect(() => {
    if (isLocked || !element.current) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      height.current = entry?.borderBoxSize[0]?.blockSize;
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, isLocked]);
  return kept;
}
