import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanThemeCss } from '../../src/service/themes/clean-theme-css.ts';

/** Theme text, and how it is stored. */
const kept: readonly (readonly [string, string])[] = [
  ['h1 { color: red }', 'h1{color:red}'],
  [':root{--a: #fff; --b: var(--a, rgb(1 2 3))}', ':root{--a:#fff;--b:var(--a,rgb(1 2 3))}'],
  ['a:hover > b::before{content:"\\201C"}', 'a:hover>b::before{content:"“"}'],
  ['a{background:linear-gradient(to right, red, blue)}', 'a{background:linear-gradient(to right,red,blue)}'],
  ['@media (max-width: 600px){a{color:red}}', '@media (max-width:600px){a{color:red}}'],
  ['@supports (display: grid){a{float:none}}', '@supports (display:grid){a{float:none}}'],
  ['@layer base;@layer base{a{b:c}}', '@layer base;@layer base{a{b:c}}'],
  ['@keyframes k{from{opacity:0}to{opacity:1}}', '@keyframes k{from{opacity:0}to{opacity:1}}'],
  ['a{color:red;&:hover{color:blue}}', 'a{color:red;&:hover{color:blue}}'],
  [
    'a[href^="http"]:not(.b){font:12px/1.5 serif !important}',
    'a[href^="http"]:not(.b){font:12px/1.5 serif!important}',
  ],
  ['a{color:red', 'a{color:red}'],
  ['a{position: relative}', 'a{position:relative}'],
  ['h2::before{content:counter(h) ". "}', 'h2::before{content:counter(h)". "}'],
  ['li{list-style-type:"– "}', 'li{list-style-type:"– "}'],
  ['ol{list-style-type:upper-roman}', 'ol{list-style-type:upper-roman}'],
  ['p{font-family:"Fira Code";--font:"Fira Code"}', 'p{font-family:"Fira Code";--font:"Fira Code"}'],
  ['p::after{content:none;quotes:"«" "»"}', 'p::after{content:none;quotes:"«""»"}'],
];

for (const [css, expected] of kept) {
  test(`a theme keeps ${css}`, () => assert.equal(cleanThemeCss(css), expected));
}

/** Each is removed, and the rest of the theme stays. */
const dropped = [
  'a{position:fixed}',
  'a{POSITION:Fixed !important}',
  'a{position:-webkit-sticky}',
  'a{position:absolute}',
  'a{position:var(--p)}',
  '@media screen{a{position:sticky}}',
  '@import "https://evil.example/a.css";',
  '@IMPORT url(//evil.example);',
  '@\\69mport "x";',
  '@charset "utf-7";',
  '@namespace url(http://www.w3.org/1999/xhtml);',
  '@font-face{font-family:x;src:url(https://evil.example/f)}',
  '@counter-style x{symbols:url(x)}',
  '@property --x{syntax:"*";inherits:false}',
  '@document url(x){a{b:c}}',
  '@media screen{@import "x";}',
  '@supports (background:url(x)){a{b:c}}',
  'a{background:url(x)}',
  'a{background:URL( "x" )}',
  'a{background:\\75rl(x)}',
  'a{background:u\\72 l(x)}',
  'a{background:url(x',
  'a{background:src("x")}',
  'a{background:image-set("x" 1x)}',
  'a{background:-webkit-image-set(url(x) 1x)}',
  'a{background:image("x")}',
  'a{background:cross-fade(url(x),red)}',
  'a{background:element(#x)}',
  'a{background:paint(x)}',
  'a{background:var(--x,url(x))}',
  'a{--x:url(x)}',
  'a{--x:{background:url(x)}}',
  'a{width:expression(alert(1))}',
  'a{width:\\65xpression(alert(1))}',
  'a{width:expr/**/ession(alert(1))}',
  'a{behavior:url(x.htc)}',
  'a{BEHAVIOR:none}',
  'a{-moz-binding:none}',
  'a{filter:progid:DXImageTransform.Microsoft.gradient(startColorstr=1)}',
  'a{*zoom:1}',
  'a{color:red!ie}',
  'a,{color:red}',
  'a{content:"</style>"}',
  'a{content:"\\3c/style\\3e"}',
  'a[x="</style>"]{color:red}',
  '</style><script>alert(1)</script>{a:b}',
  'a{/*</style>*/}',
  '/*! </style> */',
  '<!-- -->',
  '.a\\3c b{color:red}',
  'a{color:red\\9}',
  'p::before{content:"Alice wrote this"}',
  'p::before{CONTENT:"\\41lice" !important}',
  'p::before{content:"1" "x"}',
  'p::before{content:"\u24b6\u{1f130}"}',
  'p::before{content:"\u{1f1e6}"}',
  'p::before{content:"→" / "Alice"}',
  'p::before{content:var(--who)}',
  'p::before{content:counter(a,upper-alpha)}',
  'p::before{content:counters(a,".",lower-greek)}',
  'p::before{content:counter(a, Upper-Alpha) counter(b)}',
  'p{quotes:"Alice" ""}',
  'li{list-style-type:"Alice "}',
  'li{list-style:inside "Alice "}',
  'p{text-emphasis:"A"}',
  'p{-webkit-text-emphasis-style:"A"}',
  'p{hyphenate-character:"Alice"}',
  'p{text-overflow:"Alice"}',
  '@keyframes k{from{content:"Alice"}}',
];

for (const css of dropped) {
  test(`a theme loses ${css}`, () => {
    assert.equal(cleanThemeCss(css), null);
    if (css !== 'a{background:url(x') assert.equal(cleanThemeCss(`${css}\nh1{color:red}`), 'h1{color:red}');
    assert.equal(cleanThemeCss(`h1{color:red}${css}`), 'h1{color:red}');
  });
}

test('a bad declaration does not remove its neighbours', () => {
  assert.equal(cleanThemeCss('a{color:red;background:url(x);margin:0}'), 'a{color:red;margin:0}');
});

test('a theme without any rule left is null', () => {
  assert.equal(cleanThemeCss(''), null);
  assert.equal(cleanThemeCss('/* nothing */'), null);
});

test('a theme nested too deeply is rejected', () => {
  for (const opening of ['a{', '(', '[', '@media x{', 'a{b:calc(', ':not(']) {
    assert.throws(() => cleanThemeCss(opening.repeat(10_000)), { code: 'invalid_request' }, opening);
  }
});

test('a theme that exceeds the limit when it is written out is rejected', () => {
  assert.throws(() => cleanThemeCss(`a{content:"${'\u0001'.repeat(40_000)}"}`), { code: 'invalid_request' });
});
