/** Names the program and system of a session from its User-Agent, which the client chooses. */

/** The first match counts, because browsers also contain the names of browsers they imitate. */
const PROGRAMS = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.* Safari\//, 'Safari'],
  [/^courant\b/i, 'The courant command'],
  [/^curl\//, 'curl'],
] as const;

const SYSTEMS = [
  [/\b(?:iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

export function nameClient(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown program';
  const program = PROGRAMS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'Other program';
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  return system === undefined ? program : `${program} on ${system}`;
}
