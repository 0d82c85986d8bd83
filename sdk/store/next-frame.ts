/** Milliseconds after which a state is told where no frame is painted, as in a hidden page. */
const UNPAINTED_MS = 100;
/** About a frame, where the runtime has none. */
const FRAME_MS = 16;

interface FrameGlobals {
  readonly requestAnimationFrame?: (callback: () => void) => unknown;
}

/** Calls once, with the next frame of the screen. */
export function nextFrame(callback: () => void): void {
  const { requestAnimationFrame } = globalThis as FrameGlobals;
  let isCalled = false;
  const callOnce = () => {
    if (isCalled) return;
    isCalled = true;
    clearTimeout(timer);
    callback();
  };
  const timer = setTimeout(callOnce, requestAnimationFrame ? UNPAINTED_MS : FRAME_MS);
  requestAnimationFrame?.(callOnce);
}
