import { counted } from '../plurals.ts';

/** Signing up and in, the first workspace, the profile. */
export const account = {
  createAccount: 'Create your account',
  createAccountButton: 'Create account',
  name: 'Name',
  email: 'E-mail',
  password: 'Password',
  passwordRule: '8 to 128 characters',
  signIn: 'Sign in',
  createAccountLink: 'Create an account',
  haveAccount: 'Have an account already?',
  newHere: 'New here?',
  wrongPassword: 'The e-mail address or the password is not right.',
  tooManyAttempts: (seconds: number) =>
    `Too many attempts. Try again in ${counted(seconds, 'second', 'seconds')}.`,
  forgotPassword: 'Forgot your password? Ask who runs this server.',
  wrongAddress: (appUrl: string) => `This server is set up for ${appUrl}. Open it there.`,
  signUpClosed: 'Sign-up is closed here: ask for an invitation',

  firstWorkspace: 'Create your first workspace',
  firstWorkspaceText: 'A place for files that people and agents work on together.',

  signInToGoOn: 'Sign in to go on',
  signInToGoOnText: 'Your session has ended. What you typed is still here.',
  downloadMyText: 'Download my text',
  signOutWithoutSaving: 'Sign out without saving?',
  signOutWithoutSavingText: 'Your texts stay on this device, and are back when you sign in here again.',
  signOut: 'Sign out',
  stay: 'Stay',
} as const;
