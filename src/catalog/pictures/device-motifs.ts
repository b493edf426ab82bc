// Things with a plug or a battery.

import { box, disc, glass, ink, line, oval, type Paint, paper, ring, shape, steel } from './shapes.ts'

type Draw = (paint: Paint) => string

// oxfmt-ignore
export const deviceMotifs = {
  phone: ({ main, dark, light, accent }) =>
    box(150, 84, 180, 312, 30, dark) + box(156, 90, 168, 300, 25, main) + box(166, 100, 148, 280, 16, '#10131a') + shape('M166 260Q214 214 240 254T314 224V364Q314 380 298 380H182Q166 380 166 364Z', accent) + shape('M166 300Q220 264 252 300T314 280V364Q314 380 298 380H182Q166 380 166 364Z', light) + disc(240, 118, 7, '#2f3542') + box(330, 150, 5, 44, 2, dark),
  tablet: ({ main, dark, light, accent }) =>
    box(86, 128, 308, 228, 24, dark) + box(92, 134, 296, 216, 20, main) + box(106, 148, 268, 188, 10, '#10131a') + shape('M106 280Q180 200 240 262T374 220V326Q374 336 364 336H116Q106 336 106 326Z', accent) + disc(322, 190, 22, light) + disc(240, 141, 4, dark),
  watch: ({ main, dark, light, accent }) =>
    shape('M192 92H288L300 170H180ZM192 388H288L300 310H180Z', main) + shape('M192 92H240V170H180ZM192 388H240V310H180Z', dark) + box(160, 156, 160, 168, 44, steel) + box(170, 166, 140, 148, 36, '#10131a') + ring(240, 240, 46, '#2d3442', 12) + line('M240 194A46 46 0 1 1 196 254', accent, 12) + line('M240 214V242L262 256', light, 7) + box(320, 222, 10, 36, 5, '#8f9aa8'),
  headphones: ({ main, dark, light }) =>
    line('M134 280V240A106 106 0 0 1 346 240V280', dark, 24) + line('M144 230A98 98 0 0 1 336 230', light, 7) + box(100, 252, 62, 118, 30, main) + box(318, 252, 62, 118, 30, main) + box(148, 262, 28, 98, 14, dark) + box(304, 262, 28, 98, 14, dark),
  earbuds: ({ main, dark, light, accent }) =>
    box(132, 226, 216, 150, 52, main) + shape('M132 278Q132 226 184 226H296Q348 226 348 278V284H132Z', light) + disc(240, 318, 6, accent) + disc(190, 168, 32, main) + box(182, 172, 20, 76, 10, dark) + disc(290, 168, 32, main) + box(278, 172, 20, 76, 10, dark) + oval(206, 186, 9, 13, ink) + oval(274, 186, 9, 13, ink),
  charger: ({ main, dark, light, accent }) =>
    box(158, 170, 164, 160, 34, main) + box(158, 170, 60, 160, 34, dark) + box(186, 112, 20, 66, 8, steel) + box(274, 112, 20, 66, 8, steel) + shape('M250 200L214 258H240L228 304L270 240H242Z', accent) + box(222, 330, 36, 20, 8, light) + line('M240 350Q240 392 300 386', light, 10),
  cable: ({ main, dark, accent }) =>
    line('M166 300Q80 220 150 150T330 170T260 300T350 330', main, 18) + line('M166 300Q80 220 150 150T330 170T260 300T350 330', dark, 4) + box(146, 286, 56, 84, 14, dark) + box(158, 362, 32, 32, 6, steel) + box(330, 300, 52, 78, 14, dark) + box(342, 370, 28, 26, 6, steel) + disc(174, 320, 5, accent),
  battery: ({ main, dark, light, accent }) =>
    box(158, 96, 164, 288, 34, dark) + box(166, 96, 156, 288, 32, main) + box(214, 118, 60, 12, 6, dark) + disc(206, 350, 7, accent) + disc(232, 350, 7, accent) + disc(258, 350, 7, accent) + disc(284, 350, 7, light) + shape('M254 176L206 250H238L226 306L276 228H244Z', light),
  laptop: ({ main, dark, light, accent }) =>
    box(112, 122, 256, 178, 16, dark) + box(124, 134, 232, 154, 6, '#10131a') + shape('M124 250Q190 180 240 232T356 190V288H124Z', accent) + disc(308, 172, 18, light) + shape('M72 308H408L388 352Q386 358 378 358H102Q94 358 92 352Z', main) + shape('M72 308H408L404 318H76Z', light) + box(204, 330, 72, 16, 5, dark),
  monitor: ({ main, dark, light, accent }) =>
    box(78, 110, 324, 208, 16, dark) + box(88, 120, 304, 180, 8, '#10131a') + shape('M88 262Q170 180 240 240T392 190V300H88Z', accent) + disc(330, 168, 22, light) + shape('M214 318H266L276 366H204Z', main) + box(164, 362, 152, 18, 9, main),
  tv: ({ dark, light, accent, main }) =>
    box(56, 112, 368, 218, 10, ink) + box(64, 120, 352, 202, 4, '#141824') + shape('M64 270L160 190L226 250L300 176L416 262V322H64Z', accent) + shape('M64 300Q180 250 260 290T416 286V322H64Z', main) + disc(352, 166, 22, light) + line('M138 330L124 370M342 330L356 370', dark, 12),
  keyboard: ({ main, dark, light, accent }) =>
    box(64, 176, 352, 150, 20, dark) + box(64, 168, 352, 150, 20, main) + [0, 1, 2].map((row) => [0, 1, 2, 3, 4, 5, 6, 7].map((at) => box(86 + at * 39, 188 + row * 32, 31, 25, 6, row === 0 && at === 0 ? accent : light)).join('')).join('') + box(164, 284, 152, 22, 6, light),
  mouse: ({ main, dark, light, accent }) => box(164, 110, 152, 262, 76, dark) + box(168, 106, 144, 258, 72, main) + line('M240 108V216', dark, 5) + line('M170 218Q240 240 310 218', dark, 5) + box(228, 148, 24, 50, 12, accent) + oval(206, 300, 16, 36, light),
  router: ({ main, dark, light, accent }) =>
    line('M130 270L112 132M240 260V112M350 270L368 132', dark, 16) + box(84, 262, 312, 86, 26, main) + shape('M84 300H396V322Q396 348 370 348H110Q84 348 84 322Z', dark) + disc(136, 284, 7, accent) + disc(162, 284, 7, accent) + disc(188, 284, 7, light) + line('M284 284H350', light, 6),
  drive: ({ main, dark, light, accent }) => box(106, 180, 212, 130, 22, dark) + box(106, 172, 212, 130, 22, main) + box(318, 204, 66, 68, 6, steel) + box(340, 218, 22, 12, 2, '#8f9aa8') + box(340, 246, 22, 12, 2, '#8f9aa8') + box(134, 200, 92, 74, 8, light) + disc(284, 238, 11, accent),
  printer: ({ main, dark, light, accent }) =>
    box(152, 92, 176, 110, 6, paper) + line('M176 122H304M176 146H284', '#c9cfd6', 7) + box(92, 178, 296, 152, 26, main) + box(92, 250, 296, 80, 26, dark) + box(136, 288, 208, 94, 8, paper) + line('M160 318H320M160 342H290', '#c9cfd6', 7) + box(136, 280, 208, 14, 7, ink) + disc(346, 212, 9, accent) + box(116, 206, 74, 12, 6, light),
  speaker: ({ main, dark, light, accent }) =>
    box(146, 84, 188, 308, 40, dark) + box(152, 84, 182, 302, 38, main) + disc(242, 164, 40, dark) + disc(242, 164, 24, ink) + disc(242, 290, 66, dark) + ring(242, 290, 52, light, 5) + disc(242, 290, 30, ink) + disc(242, 290, 11, accent),
  soundbar: ({ main, dark, light, accent }) => box(54, 270, 372, 66, 30, dark) + box(54, 262, 372, 64, 30, main) + [0, 1, 2, 3, 4, 5].map((at) => disc(110 + at * 52, 294, 17, dark) + disc(110 + at * 52, 294, 7, light)).join('') + box(126, 116, 228, 124, 8, ink) + shape('M134 210L196 166L248 206L300 160L346 200V232H134Z', accent),
  fridge: ({ main, dark, light, accent }) =>
    box(140, 66, 204, 330, 18, dark) + box(136, 66, 200, 330, 18, main) + box(136, 180, 200, 6, 0, dark) + box(156, 104, 10, 56, 5, dark) + box(156, 206, 10, 90, 5, dark) + box(250, 96, 64, 34, 6, ink) + line('M264 113H300', accent, 6) + box(316, 76, 8, 310, 4, light),
  washer: ({ main, dark, light, accent }) =>
    box(110, 84, 260, 310, 20, dark) + box(110, 84, 252, 310, 20, main) + box(110, 144, 252, 5, 0, dark) + box(130, 104, 84, 26, 6, light) + disc(262, 117, 15, dark) + box(296, 106, 46, 22, 5, ink) + disc(236, 262, 92, steel) + disc(236, 262, 76, ink) + disc(236, 262, 68, glass) + shape('M168 272Q202 246 236 272T304 272A68 68 0 0 1 168 272Z', accent),
  stove: ({ main, dark, light, accent }) =>
    box(108, 110, 264, 284, 14, dark) + box(108, 110, 256, 284, 14, main) + box(100, 96, 280, 22, 8, ink) + line('M142 92H206M274 92H338', ink, 10) + [0, 1, 2, 3].map((at) => disc(148 + at * 58, 152, 15, dark) + line(`M${148 + at * 58} 152V142`, light, 4)).join('') + box(132, 190, 208, 160, 12, ink) + box(146, 218, 180, 116, 8, '#3c2a1c') + shape('M146 300Q196 262 236 298T326 290V326Q326 334 318 334H154Q146 334 146 326Z', accent) + box(150, 200, 172, 9, 4, steel),
  hood: ({ main, dark, light }) => box(190, 84, 100, 150, 6, main) + box(190, 84, 36, 150, 6, light) + shape('M190 226H290L392 316H88Z', main) + shape('M88 316H392V348Q392 356 384 356H96Q88 356 88 348Z', dark) + disc(180, 336, 9, '#ffe9a8') + disc(300, 336, 9, '#ffe9a8'),
  vacuum: ({ main, dark, light, accent }) =>
    line('M322 98L196 300', steel, 14) + line('M322 98Q360 82 366 118', ink, 16) + shape('M118 342L214 296L250 330L166 388H126Q108 380 118 342Z', ink) + box(250, 120, 62, 140, 28, main) + box(258, 150, 46, 90, 20, glass) + box(258, 196, 46, 44, 20, accent) + disc(340, 330, 60, main) + disc(340, 330, 38, dark) + disc(340, 330, 16, light) + line('M284 258Q350 230 350 280', dark, 12),
  robot: ({ main, dark, light, accent }) => oval(240, 272, 164, 108, dark) + oval(240, 256, 164, 108, main) + oval(240, 248, 128, 80, light) + oval(240, 222, 46, 24, ink) + oval(240, 214, 40, 18, dark) + disc(240, 290, 10, accent) + line('M100 318L70 346M380 318L410 346', ink, 8),
  aircon: ({ main, dark, light, accent }) =>
    box(66, 130, 348, 118, 24, dark) + box(66, 124, 348, 114, 24, main) + box(66, 124, 348, 40, 20, light) + box(96, 208, 288, 14, 7, ink) + box(330, 178, 54, 18, 6, ink) + line('M340 187H372', accent, 5) + line('M140 270Q120 300 144 328T136 376M240 270Q220 300 244 328T236 376M340 270Q320 300 344 328T336 376', '#8ecdf2', 9),
  kettle: ({ main, dark, light, accent }) =>
    line('M322 180Q404 190 388 280Q380 318 334 330', dark, 22) + shape('M172 156H312L344 350Q346 372 324 372H160Q138 372 140 350Z', main) + shape('M172 156H214L186 372H160Q138 372 140 350Z', light) + shape('M172 178L128 190L118 168L172 156Z', dark) + box(164, 136, 156, 24, 12, dark) + disc(242, 124, 13, dark) + box(264, 214, 18, 96, 9, glass) + box(264, 262, 18, 48, 9, '#7cc4ee') + box(124, 368, 236, 20, 10, ink) + disc(240, 378, 5, accent),
  multicooker: ({ main, dark, light, accent }) =>
    box(108, 180, 264, 190, 60, dark) + box(108, 172, 264, 190, 60, main) + shape('M108 212Q116 116 240 116T372 212Z', light) + box(108, 204, 264, 14, 7, dark) + box(206, 100, 68, 22, 10, dark) + box(180, 244, 120, 76, 16, ink) + line('M204 270H276', accent, 8) + disc(212, 298, 7, light) + disc(240, 298, 7, light) + disc(268, 298, 7, light),
  blender: ({ main, dark, light, accent }) =>
    shape('M172 104H318L300 274H190Z', glass) + shape('M180 186H309L300 274H190Z', accent) + box(164, 86, 162, 26, 12, dark) + line('M312 134Q372 146 350 208Q342 230 306 236', '#b9d6e6', 13) + shape('M182 274H308L338 380Q340 392 328 392H162Q150 392 152 380Z', main) + shape('M182 274H216L190 392H162Q150 392 152 380Z', light) + disc(244, 340, 24, dark) + line('M244 340L256 326', light, 6),
  dryer: ({ main, dark, light, accent }) => shape('M206 226H286L268 392Q266 404 252 404H232Q218 404 216 392Z', dark) + box(112, 124, 232, 124, 58, main) + shape('M330 142L392 126V246L330 230Z', dark) + disc(176, 186, 42, dark) + disc(176, 186, 28, light) + disc(176, 186, 10, ink) + box(238, 280, 18, 42, 8, accent),
  drill: ({ main, dark, light, accent }) =>
    box(114, 134, 206, 94, 26, main) + box(114, 134, 80, 94, 26, dark) + shape('M318 152H352L372 168V196L352 210H318Z', ink) + line('M372 182H428', steel, 13) + shape('M150 222H236L252 330H166Z', main) + shape('M150 222H190L206 330H166Z', dark) + box(136, 326, 150, 58, 16, ink) + shape('M236 228H262L258 268H242Z', accent) + box(222, 160, 74, 14, 7, light),
  grinder: ({ main, dark, light, accent }) => disc(334, 272, 76, steel) + ring(334, 272, 60, '#aeb8c4', 5) + box(72, 196, 216, 72, 30, main) + box(72, 196, 78, 72, 30, dark) + shape('M270 186H328L352 280H290Z', ink) + shape('M258 268A76 76 0 0 1 380 212L334 272Z', dark) + box(166, 214, 64, 14, 7, light) + box(206, 268, 22, 70, 10, accent),
} satisfies Record<string, Draw>
