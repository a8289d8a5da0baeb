// What is asked of a page inside the browser. Each function is sent there as it is, so it uses nothing from outside itself.

/** The elements that make a page wider than its window; none when it fits. */
export function widerThanWindow(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  return [...document.querySelectorAll("main *")]
    .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
    .slice(0, 3)
    .map(
      (element) =>
        `${element.tagName.toLowerCase()} ends at ${element.getBoundingClientRect().right}`,
    );
}

/** Texts whose colour is too near to what is behind them: below 4.5 to 1, as WCAG AA asks. */
export function faintTexts(): string[] {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (canvas === null) throw new Error("There is no canvas.");
  const pixel = (colours: readonly string[]): number[] => {
    canvas.clearRect(0, 0, 1, 1);
    for (const colour of colours) {
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- what is outside does not come along into the page
  const luminance = (rgb: readonly number[]): number => {
    const [red = 0, green = 0, blue = 0] = rgb.map((value) => {
      const part = value / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (element: Element | null): string[] =>
    element === null
      ? ["white"]
      : [...behind(element.parentElement), getComputedStyle(element).backgroundColor];
  const faint = new Set<string>();
  for (const element of document.querySelectorAll(
    "main p, main li, main td, main th, main h1, main h2, main a, main code, nav a, aside a",
  )) {
    const box = element.getBoundingClientRect();
    if (element.textContent.trim() === "" || box.width === 0 || box.right < 0) continue;
    const { color, opacity, visibility } = getComputedStyle(element);
    if (opacity !== "1" || visibility === "hidden") continue;
    const back = behind(element);
    const [light = 0, dark = 0] = [
      luminance(pixel([...back, color])),
      luminance(pixel(back)),
    ].toSorted((a, b) => b - a);
    const contrast = (light + 0.05) / (dark + 0.05);
    if (contrast < 4.5)
      faint.add(
        `${element.tagName.toLowerCase()}.${element.className} has ${contrast.toFixed(1)} to 1`,
      );
  }
  return [...faint];
}

/** What has the focus, and why a person could not see that; an empty reason when they can. */
export function focusSeen(): { readonly name: string; readonly reason: string } {
  const element = document.activeElement;
  if (element === null || element === document.body) return { name: "body", reason: "" };
  const { outlineStyle, outlineWidth, visibility } = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  const label = element.getAttribute("aria-label") ?? element.getAttribute("title") ?? "";
  const name = `${element.tagName.toLowerCase()} ${label || element.textContent.trim().slice(0, 30)}`;
  if (outlineStyle === "none" || outlineWidth === "0px") return { name, reason: "no outline" };
  if (visibility === "hidden") return { name, reason: "hidden" };
  const onScreen =
    box.right > 0 && box.left < innerWidth && box.bottom > 0 && box.top < innerHeight;
  if (!onScreen)
    return { name, reason: `off the screen, at ${Math.round(box.left)}, ${Math.round(box.top)}` };
  return { name, reason: name.trim().includes(" ") ? "" : "no name" };
}
