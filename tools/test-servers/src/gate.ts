/** Something that others wait at until it is opened. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

export function gate(): Gate {
  let pass: (() => void) | undefined;
  const opened = new Promise<void>((resolve) => {
    pass = resolve;
  });
  return { opened, open: () => pass?.() };
}
