/** The present value of a colour of tokens.css: a canvas does not know light-dark(). */
export function colorOf(element: HTMLElement, name: string): string {
  element.style.color = `var(${name})`;
  const { color } = getComputedStyle(element);
  element.style.color = "";
  return color;
}
