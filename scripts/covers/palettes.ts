/** Palettes of the covers, muted enough to appear beside text in light and dark schemes. */
export interface Palette {
  ground: string;
  /** The colour of sheets of paper. */
  paper: string;
  colours: readonly [string, string, string, string];
}

export const PALETTES = {
  vermilion: { ground: '#f3e7d3', paper: '#fffaf0', colours: ['#c8421a', '#e58f4c', '#29445c', '#8fb0a9'] },
  night: { ground: '#16263d', paper: '#f5efe2', colours: ['#f0a24a', '#3f6c9b', '#e9e0cc', '#274564'] },
  meadow: { ground: '#dfe9dc', paper: '#fbfdf8', colours: ['#e0a23a', '#7fae8c', '#2f6b58', '#1d4540'] },
  dusk: { ground: '#3a2747', paper: '#f9efe9', colours: ['#f28c6a', '#8a5a8c', '#f6cfa6', '#5c3c69'] },
  sky: { ground: '#d8e8f2', paper: '#fafdff', colours: ['#d9532c', '#6ca3cc', '#23527c', '#f2c46d'] },
} satisfies Record<string, Palette>;
