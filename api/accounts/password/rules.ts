/**
 * Rules for new passwords: a minimum length and no common password. NIST SP 800-63B advises against
 * rules about kinds of characters.
 */
import { RefusedCommandError } from '../../../store/commands/refused-command.ts';
import { MAX_PASSWORD_LENGTH } from '../../../store/users/passwords.ts';

const MIN_PASSWORD_LENGTH = 8;

/** Throws WEAK_PASSWORD. The password must not equal a value of `person`, its owner. */
export function checkPassword(
  password: string,
  person: { username: string; email: string; name: string },
  field = 'password',
): void {
  const refuse = (message: string) => new RefusedCommandError('WEAK_PASSWORD', message, field);
  if (password.length > MAX_PASSWORD_LENGTH || [...password].length < MIN_PASSWORD_LENGTH)
    throw refuse(`The password must have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`);
  const folded = password.normalize('NFKC').toLowerCase();
  const personalValues = [person.username, person.email, person.email.split('@')[0] ?? '', person.name];
  if (personalValues.some((text) => trimDigits(folded) === trimDigits(text.normalize('NFKC').toLowerCase())))
    throw refuse('The password is your name or address. Choose one that nobody can guess.');
  if (isCommon(folded)) throw refuse('This password is too common. Choose another one.');
}

function isCommon(folded: string): boolean {
  if (new Set(folded).size <= 2) return true;
  if (ROWS.some((row) => row.includes(folded) || [...row].reverse().join('').includes(folded))) return true;
  return COMMON.has(trimDigits(folded)) || COMMON.has(folded);
}

/** Removes trailing digits and punctuation, which do not make a common word less common. */
function trimDigits(text: string): string {
  return text.replace(/[\d\W_]+$/u, '') || text;
}

/** Keyboard and alphabet sequences. Every part of them is a common password, in both directions. */
const ROWS = [
  '0123456789012345678901234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop[]',
  'qwertzuiopü',
  'azertyuiop',
];

/** Words and sequences from published lists of leaked passwords, without trailing digits. */
const COMMON = new Set(
  `password passw0rd p@ssword p@ssw0rd pa55word pass passwd passwort motdepasse contraseña senha parola wachtwoord
  welcome willkommen bienvenue letmein changeme trustno iloveyou iloveu loveme lovely sunshine princess princesa football
  baseball basketball superman batman spiderman pokemon starwars monster master shadow dragon michael jennifer jordan charlie
  jessica ashley daniel thomas andrew matthew computer internet samsung google facebook liverpool chelsea arsenal barcelona
  whatever freedom secret hello helloworld qwerty qwertz azerty qweasdzxc qazwsx qazwsxedc asdfghjkl asdfasdf asdf zxcvbnm
  1q2w3e4r 1q2w3e4r5t 1qaz2wsx zaq12wsx q1w2e3r4 123qwe 123qweasd a1b2c3d4 abcd1234 12341234 123123123 11223344 12344321
  987654321 147258369 123454321 789456123 admin administrator root guest user login test testtest testing default temp
  courant blogger writer author summer winter spring autumn monday friday january december love angel flower cookie cheese
  banana chocolate butterfly hannah jasmine soccer hockey killer hunter ranger mustang corvette mercedes ferrari porsche`.split(
    /\s+/,
  ),
);
