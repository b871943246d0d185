import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeClean } from './support/axe-clean.ts';
import { chooseFromMenu, focused, press, tabTo, typeInto } from './support/keyboard.ts';
import { useOwnApp } from './support/use-app.ts';

const app = await useOwnApp({ STOA_SEED_WORKSPACES: 'true', STOA_SIGNUP: 'first' });

const ada = { name: 'Ada Lovelace', email: 'ada@example.org', password: 'correct horse battery' };

test(
  'W1: by keyboard alone the first user signs up, makes a workspace, signs out and returns to the same page',
  app.options,
  async (t) => {
    const page = await app.open(t);
    await page.goto('/');
    await page.getByRole('heading', { level: 1, name: 'Create your account' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/signup');
    assert.equal(await page.title(), 'Create your account · Stoa');
    await axeClean(page);

    await page.getByRole('link', { name: 'Sign in' }).waitFor();

    await page.keyboard.press('Tab');
    await focused(page.getByRole('link', { name: 'Skip to content' }));
    await page.keyboard.press('Enter');
    await focused(page.getByRole('main'));
    const signUp = page.getByRole('form', { name: 'Create your account' });
    await typeInto(page, signUp.getByLabel('Name'), ada.name);
    await typeInto(page, signUp.getByLabel('E-mail'), ada.email);
    await typeInto(page, signUp.getByLabel('Password'), 'short');
    await press(page, signUp.getByRole('button', { name: 'Create account' }));
    await signUp.getByRole('alert').waitFor();
    await focused(signUp.getByLabel('Password'));
    assert.equal(await signUp.getByLabel('E-mail').inputValue(), ada.email);
    await axeClean(page);
    await typeInto(page, signUp.getByLabel('Password'), ada.password);
    await page.keyboard.press('Enter');

    const workspace = page.getByRole('form', { name: 'Create your first workspace' });
    await workspace.waitFor();
    await page.getByRole('heading', { level: 1, name: 'Create your first workspace' }).waitFor();
    await axeClean(page);
    await typeInto(page, workspace.getByLabel('Name'), 'Analytical Engine');
    await tabTo(page, workspace.getByRole('radio', { name: 'None' }));
    await page.keyboard.press('ArrowRight');
    assert.ok(await workspace.getByRole('radio', { name: 'Blue' }).isChecked());
    await press(page, workspace.getByRole('button', { name: 'Create workspace' }));

    await page.getByRole('button', { name: 'Workspace Analytical Engine' }).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Analytical Engine' }).waitFor();
    assert.equal(await page.title(), 'Analytical Engine · Stoa');
    const contents = page.getByRole('grid', { name: 'Contents of Analytical Engine' });
    await contents.getByRole('row', { name: 'README.md' }).waitFor();
    const agents = contents.getByRole('row', { name: 'AGENTS.md' });
    assert.equal(await agents.getAttribute('aria-description'), 'For agents');
    const readme = page.getByRole('article', { name: 'README.md' });
    await readme.getByRole('heading').first().waitFor();
    await axeClean(page);

    // The whole list is one Tab stop. The arrow keys move within it.
    await tabTo(page, contents.getByRole('row', { name: 'AGENTS.md' }));
    await page.keyboard.press('ArrowDown');
    await focused(contents.getByRole('row', { name: 'README.md' }));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'README.md' }).waitFor();
    const here = page.url();

    await chooseFromMenu(page, page.getByRole('button', { name: 'Account' }), 'Sign out');
    const signIn = page.getByRole('form', { name: 'Sign in' });
    await signIn.waitFor();
    await axeClean(page);
    assert.equal(await page.getByRole('link', { name: 'Create an account' }).count(), 0);
    await typeInto(page, signIn.getByLabel('E-mail'), ada.email);
    await typeInto(page, signIn.getByLabel('Password'), 'not the password');
    await page.keyboard.press('Enter');
    await signIn.getByText('That e-mail or password isn’t right.').waitFor();
    assert.equal(await signIn.getByLabel('E-mail').inputValue(), ada.email);
    assert.equal(await signIn.getByLabel('Password').inputValue(), '');
    await typeInto(page, signIn.getByLabel('Password'), ada.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'README.md' }).waitFor();
    assert.equal(page.url(), here);
  },
);
