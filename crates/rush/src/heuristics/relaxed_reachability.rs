//! The cells that become free in the relaxation in which a free cell stays free, computed for all vehicles at once.

use super::cell_set::CellSet;
use crate::{Orientation, RushDomain};

/// The orientations and lengths of nearly all vehicles. Their classes come first, in this order, even if they are empty.
const COMMON: [(Orientation, u32); 6] = [
    (Orientation::Horizontal, 2),
    (Orientation::Horizontal, 3),
    (Orientation::Horizontal, 4),
    (Orientation::Vertical, 2),
    (Orientation::Vertical, 3),
    (Orientation::Vertical, 4),
];

/// The vehicles of one orientation and length.
#[derive(Clone, Debug)]
struct VehicleClass<C> {
    orientation: Orientation,
    length: u32,
    /// The first cells of its vehicles in the current state.
    heads: C,
}

/// A vehicle as a member of a class.
#[derive(Clone, Copy, Debug)]
struct Member {
    class: u8,
    /// Its first cell at position 0.
    origin: u8,
    step: u8,
}

/// The vehicles of a board by orientation and length, and the slides that they can make in the relaxation. Slides are found with
/// shifts of cell sets, for all vehicles of a class at once.
#[derive(Clone, Debug)]
pub(super) struct RelaxedReachability<C> {
    classes: Vec<VehicleClass<C>>,
    members: Vec<Member>,
    /// `not_first[n]`: the cells of the board without the first n cells of each row.
    not_first: [C; 32],
    /// `not_last[n]`: the cells of the board without the last n cells of each row.
    not_last: [C; 32],
}

/// The cells that vehicles can vacate.
#[derive(Clone, Copy, Debug, Default)]
struct Vacated<C> {
    /// By slides back.
    back: C,
    /// By slides forward.
    forward: C,
}

/// Evaluates an expression for each class with vehicles, with three bindings: the number of bits from one cell of a vehicle to
/// the next, the length of the vehicles, and their heads. For the common classes the first two are constants.
macro_rules! for_each_class {
    ($classes:expr, |$step:ident, $length:ident, $heads:ident| $body:expr) => {{
        let (common, others) = $classes.split_at(COMMON.len());
        for_each_class!(@one common[0], 1, 2, $step, $length, $heads, $body);
        for_each_class!(@one common[1], 1, 3, $step, $length, $heads, $body);
        for_each_class!(@one common[2], 1, 4, $step, $length, $heads, $body);
        for_each_class!(@one common[3], C::SIDE, 2, $step, $length, $heads, $body);
        for_each_class!(@one common[4], C::SIDE, 3, $step, $length, $heads, $body);
        for_each_class!(@one common[5], C::SIDE, 4, $step, $length, $heads, $body);
        for class in others {
            for_each_class!(@one class, step::<C>(class.orientation), class.length, $step, $length, $heads, $body);
        }
    }};
    (@one $one:expr, $its_step:expr, $its_length:expr, $step:ident, $length:ident, $heads:ident, $body:expr) => {{
        let ($step, $length, $heads): (u32, u32, C) = ($its_step, $its_length, $one.heads);
        if !$heads.is_empty() {
            $body
        }
    }};
}

impl<C: CellSet> RelaxedReachability<C> {
    /// Groups the vehicles of a board, at the positions of its start.
    pub fn new<const N: usize>(domain: &RushDomain<N>) -> Self {
        let board = domain.board();
        let (width, height) = (u32::from(board.width()), u32::from(board.height()));
        let columns = |from: u32, to: u32| {
            let cells = (0..height).flat_map(|y| (from..to).map(move |x| y * C::SIDE + x));
            cells.fold(C::default(), |set, cell| set | C::one(cell))
        };
        let class = |orientation, length| VehicleClass { orientation, length, heads: C::default() };
        let mut reachability = RelaxedReachability {
            classes: COMMON.iter().map(|&(orientation, length)| class(orientation, length)).collect(),
            members: Vec::new(),
            not_first: std::array::from_fn(|count| columns((count as u32).min(width), width)),
            not_last: std::array::from_fn(|count| columns(0, width.saturating_sub(count as u32))),
        };
        let RelaxedReachability { classes, members, .. } = &mut reachability;
        for (body, vehicle) in domain.bodies().iter().zip(board.vehicles()) {
            let (orientation, length) = (body.orientation, u32::from(body.length));
            let matches = |class: &VehicleClass<C>| class.orientation == orientation && class.length == length;
            let number = classes.iter().position(matches).unwrap_or_else(|| {
                classes.push(class(orientation, length));
                classes.len() - 1
            });
            let origin =
                if orientation == Orientation::Horizontal { u32::from(body.line) * C::SIDE } else { body.line.into() };
            let member = Member { class: number as u8, origin: origin as u8, step: step::<C>(orientation) as u8 };
            members.push(member);
            classes[number].heads |= member.head(vehicle.position());
        }
        reachability
    }

    /// All cells of the board.
    pub fn board(&self) -> C {
        self.not_first[0]
    }

    /// Moves a vehicle.
    #[inline]
    pub fn slide(&mut self, vehicle: usize, from: u8, to: u8) {
        let member = self.members[vehicle];
        // Another vehicle of the class may already be, or still be, at one of the two cells.
        let heads = &mut self.classes[member.class as usize].heads;
        *heads = *heads ^ member.head(from) ^ member.head(to);
    }

    /// Frees cells, layer by layer, until all cells in `needed` are free; `None` if that is impossible. Returns the cells freed
    /// by slides back; the others are freed by slides forward.
    #[inline(always)]
    pub fn free_cells(&self, mut free: C, needed: C) -> Option<C> {
        let mut by_back = C::default();
        while !(needed & !free).is_empty() {
            let mut vacated = Vacated::default();
            for_each_class!(self.classes, |step, length, heads| {
                let (before, after) = (|by| self.before(free, by, step), |by| self.after(free, by, step));
                vacated.add(heads, length, step, before, after);
            });
            let fresh = (vacated.back | vacated.forward) & !free;
            if fresh.is_empty() {
                return None;
            }
            by_back |= vacated.back & fresh;
            free |= fresh;
        }
        Some(by_back)
    }

    /// The cells of the board for which the cell `by` cells before them is in the set.
    #[inline(always)]
    fn before(&self, set: C, by: u32, step: u32) -> C {
        if step == 1 { set << by & self.not_first[by as usize & 31] } else { set << (by * step) }
    }

    /// The cells of the board for which the cell `by` cells after them is in the set.
    #[inline(always)]
    fn after(&self, set: C, by: u32, step: u32) -> C {
        if step == 1 { set >> by & self.not_last[by as usize & 31] } else { set >> (by * step) }
    }
}

impl Member {
    /// Its first cell when it is at a position.
    #[inline(always)]
    fn head<C: CellSet>(self, position: u8) -> C {
        C::one(u32::from(self.origin) + u32::from(position) * u32::from(self.step))
    }
}

/// Number of bits from one cell of a line to the next.
#[inline(always)]
fn step<C: CellSet>(orientation: Orientation) -> u32 {
    if orientation == Orientation::Horizontal { 1 } else { C::SIDE }
}

impl<C: CellSet> Vacated<C> {
    /// Adds the cells that vehicles with these heads can vacate: by the shorter slide if both directions are possible, back if
    /// both are equally long.
    ///
    /// `before(n)` gives the cells for which the cell n cells before them is free; `after(n)` those for which the cell n cells
    /// after them is.
    #[inline(always)]
    fn add(&mut self, heads: C, length: u32, step: u32, before: impl Fn(u32) -> C, after: impl Fn(u32) -> C) {
        let mut able_back = [heads; 17];
        for i in 0..length {
            able_back[i as usize + 1] = able_back[i as usize] & before(i + 1);
        }
        let mut able_forward = heads;
        for i in 0..length {
            able_forward = able_forward & after(length + i);
            let able_back = able_back[(length - i) as usize];
            let (back, forward) = if length - i <= i + 1 {
                (able_back, able_forward & !able_back)
            } else {
                (able_back & !able_forward, able_forward)
            };
            self.back |= back << (i * step);
            self.forward |= forward << (i * step);
        }
    }
}
